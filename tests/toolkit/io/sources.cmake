set(FITUP_IO_TESTS
  atomic_file.cpp
  importer_process.cpp
  json_fields.cpp
  killed.cpp
  locale.cpp
  model_file.cpp
  model_file_wide.cpp
  read_assembly.cpp
  project_file.cpp
  report_coverage.cpp
  report_diff.cpp
  report_document.cpp
  report_file.cpp
  report_html.cpp
  report_reader.cpp
  rules_file.cpp
  track_file.cpp
)

if(FITUP_HAS_PICTURES)
  list(APPEND FITUP_IO_TESTS picture.cpp)
endif()

add_executable(fitup-fake-importer ${CMAKE_CURRENT_LIST_DIR}/../../support/fake_importer.cpp)
target_link_libraries(fitup-fake-importer PRIVATE fitup_flags fitup::toolkit)

add_library(fitup_io_test_support STATIC
  ${CMAKE_CURRENT_LIST_DIR}/../../support/sample_model.cpp
  ${CMAKE_CURRENT_LIST_DIR}/../../support/sample_report.cpp
  ${CMAKE_CURRENT_LIST_DIR}/../../support/sealed_model_file.cpp
)
target_link_libraries(fitup_io_test_support PUBLIC fitup::toolkit PRIVATE fitup_flags)
target_compile_definitions(fitup_io_test_support PUBLIC FITUP_FAKE_IMPORTER="$<TARGET_FILE:fitup-fake-importer>")
if(FITUP_HAS_PICTURES)
  target_compile_definitions(fitup_io_test_support PUBLIC FITUP_HAS_PICTURES)
endif()
add_dependencies(fitup_io_test_support fitup-fake-importer)
find_package(nlohmann_json 3.11 REQUIRED)
set(FITUP_IO_TEST_LIBRARIES fitup_io_test_support nlohmann_json::nlohmann_json)
