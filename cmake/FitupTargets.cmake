# Flags and places that every target of the project shares. Nothing here reaches a project that Fitup is a part of.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ${PROJECT_IS_TOP_LEVEL})
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Libraries show what FITUP_EXPORT (fitup/base/export.h) says.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
# Importers lie beside the programs that start them, plugins in the folder "lib" beside that.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(FITUP_PLUGIN_PATH ${PROJECT_BINARY_DIR}/lib)
# Code in shared libraries looks for importers as in an installation: in the folder bin beside theirs.
set(FITUP_LIBRARY_OUTPUT ${PROJECT_BINARY_DIR}/lib)
# Below 1.0 each minor version may break what was built before, as the CMake package says of itself.
set(FITUP_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(FITUP_CCACHE ccache)
if(FITUP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Its manual asks for this sloppiness where headers are precompiled, and for -fpch-preprocess (below). Clones share
  # what does not hold their paths.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${FITUP_CCACHE})
endif()

# What each compilation and link takes, in a log that build_times.py reads.
if(FITUP_TIME_BUILD)
  set(FITUP_TIMER ${PROJECT_SOURCE_DIR}/cmake/timed.sh ${PROJECT_BINARY_DIR}/build-times.log)
  list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER ${FITUP_TIMER})
  list(PREPEND CMAKE_CXX_LINKER_LAUNCHER ${FITUP_TIMER})
endif()

# Most of the time of compiling goes into headers and templates that the sources of a target share, so several sources
# are compiled as one. Names in anonymous namespaces must then differ within a target, and a source may get by without
# a header that it uses: the presets dev, asan and long compile each source by itself and fail there. Sources that are
# compiled once for each instruction set (hwy/foreach_target.h) or that measurement wants alone stay out:
# SKIP_UNITY_BUILD_INCLUSION.
set(CMAKE_UNITY_BUILD ${FITUP_UNITY_BUILD})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)

# fitup_unity_by_layer(TARGET FOLDER SIZE): sources of one layer, a folder below FOLDER, are compiled together, about SIZE
# at a time, and no others with them: who links a static library gets whole objects of it.
function(fitup_unity_by_layer target folder size)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^${folder}/.*\\.cpp$")
  set(layers "")
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "^${folder}/([^/]*)/.*" "\\1" layer ${source})
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(NOT alone)
      list(APPEND layers ${layer})
      list(APPEND sources_of_${layer} ${source})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES layers)
  foreach(layer IN LISTS layers)
    list(LENGTH sources_of_${layer} count)
    math(EXPR groups "(${count} + ${size} - 1) / ${size}")
    set(k 0)
    foreach(source IN LISTS sources_of_${layer})
      math(EXPR group "${k} * ${groups} / ${count}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${layer}_${group})
      math(EXPR k "${k} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# fitup_optimise(LEVEL target...): how release builds compile what no benchmark measures: command line, node kit and viewer
# with -O2. -O1 is for tests alone, as functions in headers that stay functions are then taken from there.
function(fitup_optimise level)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
  endforeach()
endfunction()

# fitup_precompile(TARGET [FROM other] HEADERS...): headers of others that take seconds, compiled once for all targets that
# name the same other one. Never our own: a source includes what it uses.
set(FITUP_OSG_HEADERS <osg/Geode> <osg/Geometry> <osg/Group> <osg/MatrixTransform> <osg/NodeVisitor> <osg/ref_ptr>)
function(fitup_precompile target)
  if(NOT FITUP_PRECOMPILE_HEADERS)
    return()
  endif()
  cmake_parse_arguments(arg "" "FROM" "" ${ARGN})
  if(arg_FROM AND NOT target STREQUAL arg_FROM)
    target_precompile_headers(${target} REUSE_FROM ${arg_FROM})
  else()
    target_precompile_headers(${target} PRIVATE ${arg_UNPARSED_ARGUMENTS})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # g++ 12 forgets in precompiled headers where warnings are suppressed, as in std::string's copies.
    target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds
                           $<$<BOOL:${FITUP_CCACHE}>:-fpch-preprocess>)
  endif()
endfunction()

# Open CASCADE where it is of a version whose libraries have the names that we link.
macro(fitup_find_opencascade)
  find_package(OpenCASCADE QUIET)
  if(OpenCASCADE_FOUND AND NOT OpenCASCADE_VERSION VERSION_LESS 7.8)
    message(STATUS "Open CASCADE ${OpenCASCADE_VERSION} is not made use of: its libraries have other names since 7.8")
    set(OpenCASCADE_FOUND FALSE)
  endif()
endmacro()

# CGAL gives advice on the build type, and turns BUILD_TESTING off, also in the cache of a project that has none there.
macro(fitup_find_cgal)
  set(FITUP_KEPT_BUILD_TESTING ${BUILD_TESTING})
  set(FITUP_CACHED_BUILD_TESTING $CACHE{BUILD_TESTING})
  set(CGAL_DO_NOT_WARN_ABOUT_CMAKE_BUILD_TYPE TRUE)
  set(CGAL_DATA_DIR ${CMAKE_CURRENT_BINARY_DIR})
  find_package(CGAL 5.5 QUIET)
  if("${FITUP_CACHED_BUILD_TESTING}" STREQUAL "")
    unset(BUILD_TESTING CACHE)
  endif()
  set(BUILD_TESTING ${FITUP_KEPT_BUILD_TESTING})
endmacro()

find_package(Threads REQUIRED)

# The contract of a result (placed coordinates, exact predicates) holds only for unfused
# round-to-nearest arithmetic, so contraction is off for every target that compiles our code.
add_library(fitup_flags INTERFACE)
target_compile_definitions(fitup_flags INTERFACE FITUP_NO_CONTRACTION)  # geometry/vec3.h
target_compile_options(fitup_flags INTERFACE -ffp-contract=off -Wall -Wextra
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # raised for std::string concatenation (GCC bug 105651)
if(FITUP_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Raised for what a source keeps to itself wherever another file includes the source.
  target_compile_options(fitup_flags INTERFACE -Wno-subobject-linkage)
endif()
if(FITUP_SANITIZE)
  target_compile_options(fitup_flags INTERFACE -fsanitize=${FITUP_SANITIZE} -fno-omit-frame-pointer
                                               -fno-sanitize-recover=all)
  target_link_options(fitup_flags INTERFACE -fsanitize=${FITUP_SANITIZE})
endif()
