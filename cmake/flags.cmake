# Flags that every target of the project is built with.
add_library(hipvmaf_flags INTERFACE)
set(flags
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
  -Wcast-qual -Wfloat-conversion -Wdouble-promotion
  # clang-tidy's check of reserved names is slow. The emulator defines macros of HIP's.
  $<$<CXX_COMPILER_ID:Clang>:-Wreserved-identifier>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-reserved-macro-identifier>
  -Wno-missing-field-initializers  # designated initialisers leave out what has a default
  # Scores are defined operation by operation: a fused multiply-add would change their last bits.
  -ffp-contract=off
  # Nothing reads errno or floating-point exceptions; without them loops with square roots and selections vectorise,
  # with the same values.
  -fno-math-errno -fno-trapping-math
  $<$<BOOL:${HIPVMAF_WERROR}>:-Werror>)
target_compile_options(hipvmaf_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
if(HIPVMAF_SANITIZE)
  target_compile_options(hipvmaf_flags INTERFACE
    -fsanitize=${HIPVMAF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(hipvmaf_flags INTERFACE -fsanitize=${HIPVMAF_SANITIZE})
endif()
