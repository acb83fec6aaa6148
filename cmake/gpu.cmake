# The GPU platform, and how its kernel sources (.hip) are compiled.
string(TOUPPER "${HIPVMAF_GPU}" platform)
if(NOT platform MATCHES "^(NONE|EMULATED|AMD|NVIDIA)$")
  message(FATAL_ERROR "HIPVMAF_GPU is ${HIPVMAF_GPU}; it can be none, emulated, amd or nvidia")
endif()
if(NOT platform STREQUAL "NONE")
  target_compile_definitions(hipvmaf_flags INTERFACE HIPVMAF_GPU_${platform})
endif()

if(platform STREQUAL "EMULATED")
  find_package(Boost 1.74 REQUIRED COMPONENTS context)
  set(HIPVMAF_GPU_TARGET_LIST emulated)
elseif(platform STREQUAL "NVIDIA")
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  list(GET CMAKE_CUDA_ARCHITECTURES 0 HIPVMAF_GPU_TARGET_LIST)
  # CMake 3.25 does not know that nvcc has C++20.
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA_STANDARD 20)
  # No contraction; division and square root are rounded correctly
  # without the fast-math flags.
  target_compile_options(hipvmaf_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;--expt-relaxed-constexpr;-Xcompiler=-ffp-contract=off>")
elseif(platform STREQUAL "AMD")
  set(HIPVMAF_GPU_TARGETS "gfx90a;gfx1030;gfx1036" CACHE STRING "AMD architectures to compile for")
  find_program(HIPVMAF_HIPCC hipcc HINTS /opt/rocm/bin REQUIRED)
  find_library(HIPVMAF_AMDHIP amdhip64 HINTS /opt/rocm/lib REQUIRED)
  find_path(HIPVMAF_HIP_INCLUDE hip/hip_runtime_api.h HINTS /opt/rocm/include REQUIRED)
  string(REPLACE ";" "," HIPVMAF_GPU_TARGET_LIST "${HIPVMAF_GPU_TARGETS}")
  target_compile_definitions(hipvmaf_flags INTERFACE __HIP_PLATFORM_AMD__)
  # CMake's own HIP language does not find the ROCm that Debian 12 has, so hipcc is called directly.
  set(hip_flags -std=c++20 -fPIC -fvisibility=hidden -Wall -Wextra -DHIPVMAF_GPU_AMD
    -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/tests
    -ffp-contract=off -fhip-fp32-correctly-rounded-divide-sqrt
    $<$<BOOL:${HIPVMAF_WERROR}>:-Werror>)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    list(APPEND hip_flags -O3 -DNDEBUG)
  endif()
  foreach(target IN LISTS HIPVMAF_GPU_TARGETS)
    list(APPEND hip_flags --offload-arch=${target})
  endforeach()
endif()

# hipvmaf_join_kernels(OUT FILE...): sources that include the given ones. Headers take most of a compiler's time, for the
# host and for each architecture anew, so several kernel sources are compiled at once. Neighbours in the list belong to one
# folder and have names in common; they come into different units.
function(hipvmaf_join_kernels out)
  set(units 6)
  set(index 0)
  foreach(source IN LISTS ARGN)
    math(EXPR unit "${index} % ${units}")
    math(EXPR index "${index} + 1")
    string(APPEND includes_${unit} "#include \"${source}\"\n")
  endforeach()
  set(joined "")
  math(EXPR last "${units} - 1")
  foreach(unit RANGE ${last})
    if(includes_${unit})
      set(path ${CMAKE_CURRENT_BINARY_DIR}/kernels/kernels_${unit}.hip)
      file(CONFIGURE OUTPUT ${path} CONTENT "${includes_${unit}}")
      list(APPEND joined ${path})
    endif()
  endforeach()
  set(${out} ${joined} PARENT_SCOPE)
endfunction()

# hipvmaf_add_kernels(TARGET FILE...): compiles kernel sources into a target of the same directory.
function(hipvmaf_add_kernels target)
  if(HIPVMAF_GPU STREQUAL "emulated")
    target_sources(${target} PRIVATE ${ARGN})
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CXX)
    return()
  endif()
  hipvmaf_join_kernels(joined ${ARGN})
  if(HIPVMAF_GPU STREQUAL "nvidia")
    target_sources(${target} PRIVATE ${joined})
    set_source_files_properties(${joined} PROPERTIES LANGUAGE CUDA)
    return()
  endif()
  foreach(source IN LISTS joined)
    set(object ${source}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${HIPVMAF_HIPCC} "${hip_flags}" -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d VERBATIM COMMAND_EXPAND_LISTS
      COMMENT "Compiling ${source}")
    target_sources(${target} PRIVATE ${object})
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  endforeach()
endfunction()

# hipvmaf_kernels(FILE...): kernel sources of the library.
function(hipvmaf_kernels)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL APPEND PROPERTY hipvmaf_kernels ${ARGN})
endfunction()
