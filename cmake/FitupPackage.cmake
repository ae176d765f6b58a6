# Debian packages: `cmake --build build/release --target package` writes them into build/release/packages.
#   fitup          the command line with the importers of CAD and mesh files; no OpenSceneGraph, no Qt
#   fitup-viewer   the window, the node kit's library, the plugins of osgDB and the importer of its formats
#   libfitup-dev   the library with its headers, the CMake package and fitup.pc
# What programs need is computed from the libraries they are linked to.
set(CPACK_GENERATOR DEB)
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "The Fitup developers <fitup@users.noreply.github.com>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/scenegraph)  # of libosgFitup
set(CPACK_COMPONENTS_ALL fitup dev)

set(CPACK_DEBIAN_FITUP_PACKAGE_NAME fitup)
set(CPACK_DEBIAN_FITUP_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FITUP_DESCRIPTION "exact interference checks of CAD assemblies
 Says which faces and which triangles of the parts of an assembly hit each
 other, in place and along recorded motions, with verdicts, distances and
 reports. Reads STEP, IGES and meshes.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libfitup-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libtbb-dev, libhwy-dev, libqhull-dev")
if(FITUP_HAS_PICTURES)
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", libembree-dev, libturbojpeg0-dev")
endif()
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "fitup")
set(CPACK_DEBIAN_DEV_DESCRIPTION "exact interference checks of CAD assemblies, development files
 The C++20 library behind fitup, with headers, CMake package and pkg-config
 file.")

if(TARGET fitup_scenegraph)
  list(APPEND CPACK_COMPONENTS_ALL viewer)
  set(CPACK_DEBIAN_VIEWER_PACKAGE_NAME fitup-viewer)
  set(CPACK_DEBIAN_VIEWER_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_VIEWER_PACKAGE_DEPENDS "fitup (= ${PROJECT_VERSION}), libgl1-mesa-dri")
  set(CPACK_DEBIAN_VIEWER_DESCRIPTION "exact interference checks of CAD assemblies, viewer
 Moves parts of an assembly by mouse or numbers and shows what they hit.
 Holds also the OpenSceneGraph node kit of fitup and plugins by which
 OpenSceneGraph programs read STEP and IGES.")
  # The link to the node kit's library that programs are built against.
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", fitup-viewer (= ${PROJECT_VERSION}), libopenscenegraph-dev")
endif()

foreach(component fitup dev viewer)
  string(TOUPPER ${component} upper)
  if(component IN_LIST CPACK_COMPONENTS_ALL)
    install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} RENAME copyright
            COMPONENT ${component})
  endif()
endforeach()
include(CPack)
