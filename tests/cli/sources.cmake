set(FITUP_CLI_TESTS
  bounds.cpp
  cache.cpp
  certify.cpp
  check.cpp
  convert.cpp
  distance.cpp
  explain.cpp
  errors.cpp
  first_contact.cpp
  help.cpp
  info.cpp
  interrupt.cpp
  killed.cpp
  locale.cpp
  models.cpp
  names.cpp
  output_files.cpp
  projects.cpp
  replay.cpp
  reports.cpp
  rules.cpp
  surroundings.cpp
  sweep.cpp
  verdict.cpp
  warnings.cpp
  way_out.cpp
)

add_library(fitup_cli_test_support STATIC ${CMAKE_CURRENT_LIST_DIR}/../support/command_line.cpp)
target_link_libraries(fitup_cli_test_support PUBLIC fitup_test_support fitup::models PRIVATE fitup_flags)
target_compile_definitions(fitup_cli_test_support PUBLIC FITUP_PROGRAM="$<TARGET_FILE:fitup>")
add_dependencies(fitup_cli_test_support fitup)
if(TARGET fitup-import-mesh)
  target_compile_definitions(fitup_cli_test_support PUBLIC FITUP_TEST_MESH_FILES)
  add_dependencies(fitup_cli_test_support fitup-import-mesh)
endif()
find_package(nlohmann_json 3.11 REQUIRED)
set(FITUP_CLI_TEST_LIBRARIES fitup_cli_test_support nlohmann_json::nlohmann_json)
