# What `cmake --install` puts where: programs in bin, importers in libexec/fitup, the libraries with their public
# headers (never detail/ and *-inl.h), plugins in osgDB's folder, the CMake package "Fitup" with the components toolkit, field_hierarchies,
# report_pictures, swept_volumes, tree_search and scenegraph, and fitup.pc, fitup-report-pictures.pc,
# fitup-swept-volumes.pc and fitup-tree-search.pc. FitupManual.cmake adds the manual pages, FitupPackage.cmake the documents.
# Components of the installation, each a Debian package (FitupPackage.cmake): fitup, dev,
# scenegraph, scenegraph_dev, viewer.
include(CMakePackageConfigHelpers)
set(FITUP_CMAKE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/Fitup)
set(FITUP_IMPORTER_FOLDER libexec/fitup)  # where the library looks for them (io/read_assembly.h)
# Programs that link the static library may lie anywhere.
set_property(SOURCE toolkit/fitup/io/read_assembly.cpp DIRECTORY ${PROJECT_SOURCE_DIR}/toolkit APPEND PROPERTY
             COMPILE_DEFINITIONS FITUP_INSTALLED_IMPORTERS="${CMAKE_INSTALL_PREFIX}/${FITUP_IMPORTER_FOLDER}")

if(FITUP_SHARED)  # with static libraries programs need no path
  set_target_properties(fitup PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  foreach(importer cad mesh)
    if(TARGET fitup-import-${importer})
      set_target_properties(fitup-import-${importer} PROPERTIES INSTALL_RPATH "$ORIGIN/../../${CMAKE_INSTALL_LIBDIR}")
    endif()
  endforeach()
  if(TARGET fitup_scenegraph)
    set_target_properties(fitup_scenegraph PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
endif()
install(TARGETS fitup RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT fitup)
foreach(importer cad mesh)
  if(TARGET fitup-import-${importer})
    install(TARGETS fitup-import-${importer} RUNTIME DESTINATION ${FITUP_IMPORTER_FOLDER} COMPONENT fitup)
  endif()
endforeach()
if(TARGET fitup-import-osg)
  install(TARGETS fitup-import-osg RUNTIME DESTINATION ${FITUP_IMPORTER_FOLDER} COMPONENT scenegraph)
endif()
if(TARGET fitup-viewer)
  # Also in the build, whose paths CMake would pad with empty ones: those mean the working folder.
  set_target_properties(fitup-viewer PROPERTIES BUILD_WITH_INSTALL_RPATH ON
                        INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN/../lib")
  install(TARGETS fitup-viewer RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT viewer)
endif()

install(TARGETS fitup_toolkit EXPORT FitupToolkit ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT fitup NAMELINK_COMPONENT dev)
install(EXPORT FitupToolkit NAMESPACE fitup:: DESTINATION ${FITUP_CMAKE_FOLDER} FILE FitupToolkit.cmake COMPONENT dev)
install(TARGETS fitup_report_pictures EXPORT FitupReportPictures ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(EXPORT FitupReportPictures NAMESPACE fitup:: DESTINATION ${FITUP_CMAKE_FOLDER} FILE FitupReportPictures.cmake
        COMPONENT dev)
install(TARGETS fitup_swept_volumes EXPORT FitupSweptVolumes ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(EXPORT FitupSweptVolumes NAMESPACE fitup:: DESTINATION ${FITUP_CMAKE_FOLDER} FILE FitupSweptVolumes.cmake COMPONENT dev)
install(TARGETS fitup_tree_search EXPORT FitupTreeSearch ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(EXPORT FitupTreeSearch NAMESPACE fitup:: DESTINATION ${FITUP_CMAKE_FOLDER} FILE FitupTreeSearch.cmake COMPONENT dev)
install(TARGETS fitup_field_hierarchies EXPORT FitupFieldHierarchies ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(EXPORT FitupFieldHierarchies NAMESPACE fitup:: DESTINATION ${FITUP_CMAKE_FOLDER} FILE FitupFieldHierarchies.cmake
        COMPONENT dev)
install(DIRECTORY toolkit/fitup toolkit/fitup_field DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev FILES_MATCHING PATTERN "*.h"
        PATTERN detail EXCLUDE PATTERN trees EXCLUDE PATTERN report_formats EXCLUDE PATTERN "*-inl.h" EXCLUDE)

if(TARGET fitup_scenegraph)
  install(TARGETS fitup_scenegraph EXPORT FitupScenegraph
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT scenegraph NAMELINK_COMPONENT scenegraph_dev)
  install(EXPORT FitupScenegraph NAMESPACE fitup:: DESTINATION ${FITUP_CMAKE_FOLDER} FILE FitupScenegraph.cmake
          COMPONENT scenegraph_dev)
  install(DIRECTORY scenegraph/osgFitup DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT scenegraph_dev
          FILES_MATCHING PATTERN "*.h" PATTERN detail EXCLUDE)
endif()

configure_package_config_file(cmake/FitupConfig.cmake.in FitupConfig.cmake INSTALL_DESTINATION ${FITUP_CMAKE_FOLDER}
                              NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(FitupConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/FitupConfig.cmake ${PROJECT_BINARY_DIR}/FitupConfigVersion.cmake
        DESTINATION ${FITUP_CMAKE_FOLDER} COMPONENT dev)

set(FITUP_PC_LIBRARIES "-ltbb -lhwy -lhwy_contrib -lqhull_r -lcrypto -pthread")
if(FITUP_SHARED)
  set(FITUP_PC_LIBRARIES "\nLibs.private: ${FITUP_PC_LIBRARIES}")
endif()
if(FITUP_HAS_PICTURES)
  set(FITUP_PC_PICTURE_LIBRARIES "-lembree3 -lturbojpeg")
endif()
if(FITUP_HAS_OPENVDB)
  set(FITUP_PC_OPENVDB_LIBRARIES "-lopenvdb -ltbb")
  set(FITUP_PC_OPENVDB_REQUIRES ", Imath")
endif()
if(FITUP_HAS_OMPL)
  set(FITUP_PC_OMPL_LIBRARIES "-lompl")
endif()
# The prefix as seen from fitup.pc, however deep the library folder is.
file(RELATIVE_PATH FITUP_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(package fitup fitup-report-pictures fitup-swept-volumes fitup-tree-search)
  configure_file(cmake/${package}.pc.in ${package}.pc @ONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/fitup.pc ${PROJECT_BINARY_DIR}/fitup-report-pictures.pc
        ${PROJECT_BINARY_DIR}/fitup-swept-volumes.pc ${PROJECT_BINARY_DIR}/fitup-tree-search.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
