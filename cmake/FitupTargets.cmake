# Flags and places that every target of the project shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(FITUP_CCACHE ccache)
if(FITUP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FITUP_CCACHE})
endif()

find_package(Threads REQUIRED)

# The contract of a result (placed coordinates, exact predicates) holds only for unfused
# round-to-nearest arithmetic, so contraction is off for every target that compiles our code.
add_library(fitup_flags INTERFACE)
target_compile_options(fitup_flags INTERFACE -ffp-contract=off -Wall -Wextra
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # raised for std::string concatenation (GCC bug 105651)
if(FITUP_SANITIZE)
  target_compile_options(fitup_flags INTERFACE -fsanitize=${FITUP_SANITIZE} -fno-omit-frame-pointer
                                               -fno-sanitize-recover=all)
  target_link_options(fitup_flags INTERFACE -fsanitize=${FITUP_SANITIZE})
endif()
