# Everything comes from the system; nothing is vendored and nothing is downloaded.
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Eigen3 QUIET NO_MODULE)  # the refit tool only

set(HIPVMAF_HAVE_FFMPEG FALSE)
if(NOT HIPVMAF_FFMPEG STREQUAL "OFF")
  find_package(PkgConfig)
  if(PkgConfig_FOUND)
    pkg_check_modules(FFMPEG IMPORTED_TARGET libavformat libavcodec libavutil libswscale)
    set(HIPVMAF_HAVE_FFMPEG ${FFMPEG_FOUND})
  endif()
  if(HIPVMAF_FFMPEG STREQUAL "ON" AND NOT HIPVMAF_HAVE_FFMPEG)
    message(FATAL_ERROR "HIPVMAF_FFMPEG is ON, but the development files of libavformat, libavcodec, "
                        "libavutil and libswscale were not found (Debian: libavformat-dev libswscale-dev)")
  endif()
endif()
