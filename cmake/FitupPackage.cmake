# Debian packages: `cmake --build build/release --target package` writes them into build/release/packages.
#   fitup          the command line with the importers of CAD and mesh files; no OpenSceneGraph, no Qt
#   libfitup-dev   the library with its headers, the CMake package and fitup.pc
#   libosgfitup0.1, libosgfitup-dev    the node kit: its library with the plugins of osgDB and the importer of OSG's
#                  formats; its headers and its part of the CMake package. Where OpenSceneGraph is found.
#   fitup-viewer   the window. Where Qt is found, too.
# What programs need is computed from the libraries they are linked to.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exact interference checks of CAD assemblies")
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "The Fitup developers <fitup@users.noreply.github.com>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)  # of libosgFitup
set(CPACK_COMPONENTS_ALL fitup dev)

set(CPACK_DEBIAN_FITUP_PACKAGE_NAME fitup)
set(CPACK_DEBIAN_FITUP_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FITUP_DESCRIPTION
    "Says which faces and which triangles of the parts of an assembly hit each other, in place and along recorded motions, \
with verdicts, distances and reports. Reads STEP, IGES and meshes.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libfitup-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libtbb-dev, libhwy-dev, libqhull-dev, libssl-dev")
set(suggested "")
if(FITUP_HAS_PICTURES)
  list(APPEND suggested libembree-dev libturbojpeg0-dev)  # for fitup::report_pictures
endif()
if(FITUP_HAS_OMPL)
  list(APPEND suggested libompl-dev)  # for fitup::tree_search
endif()
if(FITUP_HAS_OPENVDB)
  list(APPEND suggested libopenvdb-dev libimath-dev)  # for fitup::swept_volumes
endif()
list(JOIN suggested ", " CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS)
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "fitup")
set(CPACK_DEBIAN_DEV_DESCRIPTION
    "The C++20 library behind fitup, with headers, CMake package and pkg-config file.")

if(TARGET fitup_scenegraph)
  list(APPEND CPACK_COMPONENTS_ALL scenegraph scenegraph_dev)
  get_target_property(soversion fitup_scenegraph SOVERSION)
  set(CPACK_DEBIAN_SCENEGRAPH_PACKAGE_NAME libosgfitup${soversion})
  set(CPACK_DEBIAN_SCENEGRAPH_PACKAGE_SECTION libs)
  # The plugins and the importer of two versions have the same names.
  set(CPACK_DEBIAN_SCENEGRAPH_PACKAGE_PROVIDES osgfitup-plugins)
  set(CPACK_DEBIAN_SCENEGRAPH_PACKAGE_CONFLICTS osgfitup-plugins)
  set(CPACK_DEBIAN_SCENEGRAPH_PACKAGE_REPLACES osgfitup-plugins)
  set(CPACK_DEBIAN_SCENEGRAPH_PACKAGE_RECOMMENDS "fitup")
  set(CPACK_DEBIAN_SCENEGRAPH_DESCRIPTION
      "The OpenSceneGraph node kit of fitup, the plugins by which OpenSceneGraph programs read STEP and IGES, and the importer \
by which fitup reads the formats of OpenSceneGraph.")

  set(CPACK_DEBIAN_SCENEGRAPH_DEV_PACKAGE_NAME libosgfitup-dev)
  set(CPACK_DEBIAN_SCENEGRAPH_DEV_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_SCENEGRAPH_DEV_PACKAGE_DEPENDS
      "libosgfitup${soversion} (= ${PROJECT_VERSION}), libfitup-dev (= ${PROJECT_VERSION}), libopenscenegraph-dev")
  set(CPACK_DEBIAN_SCENEGRAPH_DEV_DESCRIPTION "Headers and CMake package of the OpenSceneGraph node kit of fitup.")
endif()

if(TARGET fitup-viewer)
  list(APPEND CPACK_COMPONENTS_ALL viewer)
  set(CPACK_DEBIAN_VIEWER_PACKAGE_NAME fitup-viewer)
  set(CPACK_DEBIAN_VIEWER_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_VIEWER_PACKAGE_DEPENDS
      "fitup (= ${PROJECT_VERSION}), libosgfitup${soversion} (= ${PROJECT_VERSION}), libgl1-mesa-dri")
  set(CPACK_DEBIAN_VIEWER_DESCRIPTION
      "The viewer moves parts of an assembly by mouse or numbers and shows what they hit.")
endif()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} RENAME copyright
          COMPONENT ${component})
endforeach()
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_FITUP_PACKAGE_NAME} COMPONENT fitup)
# Examples with a project that builds them: those of the library, and those of the node kit.
set(examples ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_DEV_PACKAGE_NAME}/examples)
install(DIRECTORY examples/ DESTINATION ${examples} COMPONENT dev FILES_MATCHING PATTERN "*.cpp" PATTERN "osg_*" EXCLUDE
        PATTERN "swept_*" EXCLUDE)  # needs OpenVDB, which the package only suggests
install(FILES cmake/examples/toolkit.cmake DESTINATION ${examples} RENAME CMakeLists.txt COMPONENT dev)
if(TARGET fitup_scenegraph)
  set(examples ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_SCENEGRAPH_DEV_PACKAGE_NAME}/examples)
  install(DIRECTORY examples/ DESTINATION ${examples} COMPONENT scenegraph_dev
          FILES_MATCHING PATTERN "osg_*.cpp" PATTERN "*.h" PATTERN "*.osgt")
  install(FILES cmake/examples/scenegraph.cmake DESTINATION ${examples} RENAME CMakeLists.txt COMPONENT scenegraph_dev)
endif()
include(CPack)
