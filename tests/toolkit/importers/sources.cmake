set(FITUP_IMPORTER_TESTS
  all_kinds.cpp
  boolean_oracle.cpp
  brep_census.cpp
  confinement.cpp
  feature_edges.cpp
  fits.cpp
  formats.cpp
  gltf_export.cpp
  iges.cpp
  mates.cpp
  mesh_counts.cpp
  mutated.cpp
  obj.cpp
  obj_export.cpp
  ply_off.cpp
  progress_lines.cpp
  layers.cpp
  locale.cpp
  scene_formats.cpp
  shared_data.cpp
  source_file.cpp
  step_bodies.cpp
  step_completeness.cpp
  step_counts.cpp
  step_damaged.cpp
  step_encodings.cpp
  step_faces.cpp
  step_generated.cpp
  step_parallel.cpp
  step_placements.cpp
  step_tessellated.cpp
  stl.cpp
  verdicts.cpp
)

add_library(fitup_import_checks STATIC
  ${CMAKE_CURRENT_LIST_DIR}/../../support/import_checks.cpp
  ${CMAKE_CURRENT_LIST_DIR}/../../support/mutated_imports.cpp
  ${CMAKE_CURRENT_LIST_DIR}/../../support/mutations.cpp
  ${CMAKE_CURRENT_LIST_DIR}/../../support/scene_files.cpp
  ${CMAKE_CURRENT_LIST_DIR}/../../support/small_mesh_files.cpp
  ${CMAKE_CURRENT_LIST_DIR}/../../support/tessellated_step_file.cpp
)
target_link_libraries(fitup_import_checks PUBLIC fitup::toolkit PRIVATE fitup_test_support fitup_flags)
target_compile_definitions(fitup_import_checks PRIVATE FITUP_IMPORTER_FOLDER="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
if(TARGET fitup-import-osg)
  target_compile_definitions(fitup_import_checks PUBLIC FITUP_OSG_IMPORTER="$<TARGET_FILE:fitup-import-osg>")
  add_dependencies(fitup_import_checks fitup-import-osg)
endif()
if(TARGET fitup-import-mesh)
  target_compile_definitions(fitup_import_checks PUBLIC FITUP_MESH_IMPORTER="$<TARGET_FILE:fitup-import-mesh>")
  add_dependencies(fitup_import_checks fitup-import-mesh)
  target_link_libraries(fitup_import_checks PUBLIC fitup_mesh_readers)
endif()
if(TARGET fitup-import-cad)
  find_package(OpenCASCADE QUIET)
  add_executable(fitup-write-test-step ${CMAKE_CURRENT_LIST_DIR}/../../support/write_test_step.cpp)
  target_include_directories(fitup-write-test-step SYSTEM PRIVATE ${OpenCASCADE_INCLUDE_DIR})
  target_link_libraries(fitup-write-test-step PRIVATE fitup_flags
    TKXDESTEP TKXDEIGES TKIGES TKXCAF TKLCAF TKCAF TKCDF TKXSBase TKSTEP TKBO TKPrim TKTopAlgo TKBRep TKG3d TKMath TKernel)
  add_executable(fitup-print-brep ${CMAKE_CURRENT_LIST_DIR}/../../support/print_brep.cpp)
  target_include_directories(fitup-print-brep SYSTEM PRIVATE ${OpenCASCADE_INCLUDE_DIR})
  target_link_libraries(fitup-print-brep PRIVATE fitup_flags TKTopAlgo TKBRep TKG3d TKMath TKernel)
  add_executable(fitup-brep-census ${CMAKE_CURRENT_LIST_DIR}/../../support/brep_census.cpp)
  target_include_directories(fitup-brep-census SYSTEM PRIVATE ${OpenCASCADE_INCLUDE_DIR})
  target_link_libraries(fitup-brep-census PRIVATE fitup_flags
    TKXDESTEP TKXDEIGES TKXCAF TKLCAF TKCAF TKCDF TKXSBase TKSTEP TKIGES TKMesh TKTopAlgo TKBRep TKG3d TKMath TKernel)
  add_executable(fitup-brep-overlaps ${CMAKE_CURRENT_LIST_DIR}/../../support/brep_overlaps.cpp)
  target_include_directories(fitup-brep-overlaps SYSTEM PRIVATE ${OpenCASCADE_INCLUDE_DIR})
  target_link_libraries(fitup-brep-overlaps PRIVATE fitup_flags
    TKXDESTEP TKXDEIGES TKXCAF TKLCAF TKCAF TKCDF TKXSBase TKSTEP TKIGES TKBO TKMesh TKTopAlgo TKBRep TKG3d TKMath TKernel)
  target_sources(fitup_import_checks PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/../../support/boolean_oracle.cpp
    ${CMAKE_CURRENT_LIST_DIR}/../../support/import_census.cpp)
  target_compile_definitions(fitup_import_checks PRIVATE
    FITUP_BREP_CENSUS="$<TARGET_FILE:fitup-brep-census>"
    FITUP_BREP_OVERLAPS="$<TARGET_FILE:fitup-brep-overlaps>")
  add_executable(fitup-import-table ${CMAKE_CURRENT_LIST_DIR}/../../support/import_table.cpp)
  target_link_libraries(fitup-import-table PRIVATE fitup_flags fitup_import_checks)
  add_executable(fitup-verdict-table ${CMAKE_CURRENT_LIST_DIR}/../../support/verdict_table.cpp)
  target_link_libraries(fitup-verdict-table PRIVATE fitup_flags fitup_import_checks)
  target_compile_definitions(fitup_import_checks PUBLIC
    FITUP_CAD_IMPORTER="$<TARGET_FILE:fitup-import-cad>"
    FITUP_PRINT_BREP="$<TARGET_FILE:fitup-print-brep>"
    FITUP_WRITE_TEST_STEP="$<TARGET_FILE:fitup-write-test-step>")
  add_dependencies(fitup_import_checks fitup-import-cad fitup-brep-census fitup-brep-overlaps fitup-print-brep fitup-write-test-step)
endif()
add_executable(fitup-confinement-probe ${CMAKE_CURRENT_LIST_DIR}/../../support/confinement_probe.cpp)
target_link_libraries(fitup-confinement-probe PRIVATE fitup_flags fitup_importer_main)
target_compile_definitions(fitup_import_checks PUBLIC FITUP_CONFINEMENT_PROBE="$<TARGET_FILE:fitup-confinement-probe>")
add_dependencies(fitup_import_checks fitup-confinement-probe)
set(FITUP_IMPORTER_TEST_LIBRARIES fitup_import_checks)
