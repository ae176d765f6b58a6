set(FITUP_IO_TESTS
  atomic_file.cpp
  certificate_file.cpp
  file_bytes.cpp
  forged_model_file.cpp
  forged_rtrees.cpp
  formats.cpp
  importer_places.cpp
  importer_process.cpp
  json_fields.cpp
  killed.cpp
  locale.cpp
  model_cache.cpp
  model_file.cpp
  model_file_wide.cpp
  read_assembly.cpp
  project_file.cpp
  match_findings.cpp
  report_coverage.cpp
  former_reviews.cpp
  report_diff.cpp
  report_document.cpp
  report_file.cpp
  report_html.cpp
  report_reader.cpp
  rules_file.cpp
  track_file.cpp
  warning_summary.cpp
)

if(FITUP_HAS_PICTURES)
  list(APPEND FITUP_IO_TESTS picture.cpp)
endif()

add_executable(fitup-fake-importer ${CMAKE_CURRENT_LIST_DIR}/../../support/fake_importer.cpp)
target_link_libraries(fitup-fake-importer PRIVATE fitup_flags fitup::toolkit)

# A program and a shared library that hold the code which looks for importers, made for a prefix of their own.
set(configured ${CMAKE_CURRENT_BINARY_DIR}/configured/libexec/fitup)
add_library(fitup_reading OBJECT ${CMAKE_CURRENT_LIST_DIR}/../../support/read_one.cpp
                                 ${PROJECT_SOURCE_DIR}/toolkit/fitup/io/read_assembly.cpp)
target_compile_definitions(fitup_reading PRIVATE FITUP_INSTALLED_IMPORTERS="${configured}")
target_link_libraries(fitup_reading PUBLIC fitup::toolkit PRIVATE fitup_flags)
add_executable(fitup-test-reader ${CMAKE_CURRENT_LIST_DIR}/../../support/read_one_main.cpp)
target_link_libraries(fitup-test-reader PRIVATE fitup_reading fitup_flags)
add_library(fitup_test_reader SHARED)
target_link_libraries(fitup_test_reader PRIVATE fitup_reading fitup_flags)
add_executable(fitup-test-reading-host ${CMAKE_CURRENT_LIST_DIR}/../../support/read_one_main.cpp)
target_link_libraries(fitup-test-reading-host PRIVATE fitup_test_reader fitup_flags)
set_target_properties(fitup-test-reading-host PROPERTIES SKIP_BUILD_RPATH ON)  # the tests say where the library is

add_library(fitup_io_test_support STATIC
  ${CMAKE_CURRENT_LIST_DIR}/../../support/sample_model.cpp
  ${CMAKE_CURRENT_LIST_DIR}/../../support/sample_report.cpp
  ${CMAKE_CURRENT_LIST_DIR}/../../support/sealed_model_file.cpp
)
target_link_libraries(fitup_io_test_support PUBLIC fitup::toolkit PRIVATE fitup_flags)
target_compile_definitions(fitup_io_test_support PUBLIC
  FITUP_FAKE_IMPORTER="$<TARGET_FILE:fitup-fake-importer>"
  FITUP_READING_PROGRAM="$<TARGET_FILE:fitup-test-reader>"
  FITUP_READING_LIBRARY="$<TARGET_FILE:fitup_test_reader>"
  FITUP_READING_HOST="$<TARGET_FILE:fitup-test-reading-host>"
  FITUP_CONFIGURED_IMPORTERS="${configured}")
if(FITUP_HAS_PICTURES)
  target_compile_definitions(fitup_io_test_support PUBLIC FITUP_HAS_PICTURES)
endif()
add_dependencies(fitup_io_test_support fitup-fake-importer fitup-test-reader fitup-test-reading-host)
find_package(nlohmann_json 3.11 REQUIRED)
set(FITUP_IO_TEST_LIBRARIES fitup_io_test_support fitup::report_pictures nlohmann_json::nlohmann_json)
