# Folders are layers (CONTRIBUTING.md): fails for an #include that leads to a layer above, or into a folder below another
# layer (detail and others); and for a header for users whose namespace is not exported (fitup/base/export.h). Needs SOURCES.
cmake_policy(SET CMP0057 NEW)
set(layers base geometry mesh hierarchy query scene motion io)
# To be taken away: what queries share with the kernels of the wide tree. An entry that is not needed any more fails too.
set(known
  "toolkit/fitup/query/detail/apart_along.cpp fitup/hierarchy/detail/four_doubles-inl.h"
  "toolkit/fitup/query/detail/boxes_apart.cpp fitup/hierarchy/detail/float4.h"
  "toolkit/fitup/query/detail/orthogonal_placement.cpp fitup/hierarchy/detail/four_doubles-inl.h"
  "toolkit/fitup/query/detail/relative_placement.cpp fitup/hierarchy/detail/four_doubles-inl.h"
  "toolkit/fitup/query/detail/separation.h fitup/hierarchy/detail/float4.h"
  "toolkit/fitup/query/detail/separation.h fitup/hierarchy/detail/steps_apart.h"
  "toolkit/fitup/query/intersect.cpp fitup/hierarchy/detail/wide_memory.h"
)
# What a folder may not include besides.
set(forbidden_toolkit "^(osg|osgFitup|viewer|models|Q[A-Za-z]+$)")
set(forbidden_toolkit/cli "^(osg|osgFitup|viewer|Q[A-Za-z]+$)")
set(forbidden_models "^(osg|osgFitup|viewer|Q[A-Za-z]+$)")
set(forbidden_scenegraph "^(viewer|models)/|^Q[A-Za-z]+$")
set(forbidden_examples "^models/")  # users have what is installed
set(forbidden_viewer/core "^(osg|osgFitup|viewer/gui|Q[A-Za-z]+$)")

set(problems "")
file(GLOB_RECURSE files RELATIVE ${SOURCES} ${SOURCES}/toolkit/*.h ${SOURCES}/toolkit/*.cpp ${SOURCES}/models/*.h
     ${SOURCES}/models/*.cpp ${SOURCES}/scenegraph/*.h ${SOURCES}/scenegraph/*.cpp ${SOURCES}/viewer/*.h
     ${SOURCES}/viewer/*.cpp ${SOURCES}/examples/*.cpp)
list(LENGTH files count)
if(count LESS 100)
  message(FATAL_ERROR "no sources in ${SOURCES}")
endif()
foreach(file IN LISTS files)
  file(STRINGS ${SOURCES}/${file} includes REGEX "^ *#include <")
  set(layer "")
  if(file MATCHES "^toolkit/fitup/([a-z_]+)/")
    set(layer ${CMAKE_MATCH_1})
  elseif(file MATCHES "^toolkit/fitup_field/")
    set(layer hierarchy)  # more kinds of trees, in a library of their own
  endif()
  string(REGEX MATCH "^(toolkit/cli|viewer/core|[a-z]+)" folder ${file})
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^ *#include <([^>]*)>.*" "\\1" header "${line}")
    set(problem "")
    if(header MATCHES "^fitup/([a-z_]+)/(.*)")
      set(of ${CMAKE_MATCH_1})
      if(CMAKE_MATCH_2 MATCHES "/" AND NOT of STREQUAL layer)
        set(problem "is detail of another layer")
      endif()
      list(FIND layers "${layer}" here)
      list(FIND layers ${of} there)
      if(here GREATER_EQUAL 0 AND there GREATER here)
        set(problem "is a layer above")
      endif()
    elseif(header MATCHES "^osgFitup/detail/" AND NOT file MATCHES "^scenegraph/")
      set(problem "is detail of another layer")
    endif()
    if(DEFINED forbidden_${folder} AND header MATCHES "${forbidden_${folder}}")
      set(problem "is nothing that ${folder} may use")
    endif()
    if(problem)
      if("${file} ${header}" IN_LIST known)
        list(REMOVE_ITEM known "${file} ${header}")
      else()
        string(APPEND problems "${file}: <${header}> ${problem}\n")
      endif()
    endif()
  endforeach()
  if(file MATCHES "^(toolkit/fitup/[a-z]+|scenegraph/osgFitup)/[^/]*\\.h$")
    file(STRINGS ${SOURCES}/${file} hidden REGEX "^namespace (fitup|osgFitup)")
    if(hidden)
      string(APPEND problems "${file}: '${hidden}': should be 'namespace FITUP_EXPORT ...'\n")
    endif()
  endif()
endforeach()
foreach(entry IN LISTS known)
  string(APPEND problems "${entry}: is not there any more; take it off the list of known ones\n")
endforeach()
if(problems)
  message(FATAL_ERROR "\n${problems}")
endif()
