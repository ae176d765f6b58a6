# Configures a project that takes Fitup in with add_subdirectory, and looks at what that did to it. Needs SOURCES, FOLDER,
# GENERATOR, COMPILER.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

foreach(variable CMAKE_BUILD_TYPE CMAKE_CXX_COMPILER_LAUNCHER CMAKE_EXPORT_COMPILE_COMMANDS)
  unset(ENV{${variable}})
endforeach()
run(${CMAKE_COMMAND} -S ${SOURCES}/tests/install/embedded -B ${FOLDER}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DFITUP_SOURCES=${SOURCES})

# CMake itself notes an empty CMAKE_BUILD_TYPE.
file(STRINGS ${FOLDER}/build/CMakeCache.txt ours
     REGEX "^(CMAKE_BUILD_TYPE:[^=]*=.+|BUILD_TESTING:|CPACK_|CMAKE_INSTALL_LIBDIR:|CMAKE_CXX_COMPILER_LAUNCHER:)")
if(ours)
  message(FATAL_ERROR "the project's cache holds what it did not ask for: ${ours}")
endif()

if(EXISTS ${FOLDER}/build/compile_commands.json)
  message(FATAL_ERROR "the project has a compile_commands.json that it did not ask for")
endif()

run(${CMAKE_COMMAND} --build ${FOLDER}/build --target help)
foreach(target fitup-test fitup_test fitup-bench fitup-fuzz fitup-viewer fitup_viewer example_ fitup_scenegraph fitup-plant-step
               Nightly Experimental)
  if(out MATCHES "\n[^\n]*${target}[^\n]*: phony|\n\\.\\.\\. ${target}")
    message(FATAL_ERROR "the project builds ${CMAKE_MATCH_0}")
  endif()
endforeach()
if(NOT out MATCHES "fitup_toolkit")
  message(FATAL_ERROR "no library among the targets:\n${out}")
endif()

run(${CMAKE_COMMAND} --install ${FOLDER}/build --prefix ${FOLDER}/prefix)
file(GLOB_RECURSE installed ${FOLDER}/prefix/*)
if(installed)
  message(FATAL_ERROR "the project installs ${installed}")
endif()
