# Manual pages (section 1), made from what the programs print for --help: cmake/man/make.py. The build writes them into its folder
# `man`; the installation puts each beside its program. The test `manual_pages` makes them and fails for a warning of groff or mandoc.
# fitup-bench is not installed, and neither is its page.
find_program(FITUP_PYTHON python3)
if(NOT FITUP_PYTHON OR CMAKE_CROSSCOMPILING)
  message(STATUS "The manual pages are left out: they need python3, and programs that run on this machine")
  if(FITUP_BUILD_TESTS)
    add_test(NAME manual_pages COMMAND ${CMAKE_COMMAND} -E echo "skipped: python3 is missing")
    set_tests_properties(manual_pages PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped")
  endif()
  return()
endif()

set(FITUP_MAN_FOLDER ${PROJECT_BINARY_DIR}/man)
set(FITUP_MAN_MAKER ${PROJECT_SOURCE_DIR}/cmake/man/make.py)
set(programs "")
set(paths "")
foreach(program fitup fitup-viewer fitup-bench)
  if(TARGET ${program})
    list(APPEND programs ${program})
    list(APPEND paths $<TARGET_FILE:${program}>)
  endif()
endforeach()
add_custom_command(OUTPUT ${FITUP_MAN_FOLDER}/fitup.1
  COMMAND ${FITUP_PYTHON} ${FITUP_MAN_MAKER} ${FITUP_MAN_FOLDER} ${PROJECT_VERSION} ${paths}
  DEPENDS ${programs} ${FITUP_MAN_MAKER} VERBATIM COMMENT "Making the manual pages")
add_custom_target(man ALL DEPENDS ${FITUP_MAN_FOLDER}/fitup.1)

if(FITUP_INSTALL)
  file(MAKE_DIRECTORY ${FITUP_MAN_FOLDER})
  install(DIRECTORY ${FITUP_MAN_FOLDER}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT fitup
          FILES_MATCHING PATTERN "*.1" PATTERN "fitup-viewer*" EXCLUDE PATTERN "fitup-bench*" EXCLUDE)
  if(TARGET fitup-viewer)
    install(FILES ${FITUP_MAN_FOLDER}/fitup-viewer.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT viewer OPTIONAL)
  endif()
endif()

if(FITUP_BUILD_TESTS)
  add_test(NAME manual_pages COMMAND ${FITUP_PYTHON} ${FITUP_MAN_MAKER} --check ${PROJECT_BINARY_DIR}/tests/man ${PROJECT_VERSION} ${paths})
  set_tests_properties(manual_pages PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped" TIMEOUT 120)
endif()
