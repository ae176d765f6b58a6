# The window's texts in other languages: LANGUAGE.po, gettext's format, which every tool for translators reads.
# `cmake --build BUILD --target update-translations` adds new texts of the sources to them and removes old ones;
# the test `translations` fails while one of them lacks a text.
set(FITUP_LANGUAGES de)
find_program(FITUP_XGETTEXT xgettext)
if(FITUP_XGETTEXT)
  add_custom_target(update-translations
    COMMAND ${CMAKE_COMMAND} -DSOURCES=${PROJECT_SOURCE_DIR} "-DLANGUAGES=${FITUP_LANGUAGES}" -DUPDATE=ON
      -P ${CMAKE_CURRENT_LIST_DIR}/compare_texts.cmake VERBATIM)
  if(FITUP_BUILD_TESTS)
    add_test(NAME translations COMMAND ${CMAKE_COMMAND} -DSOURCES=${PROJECT_SOURCE_DIR} "-DLANGUAGES=${FITUP_LANGUAGES}"
      -P ${CMAKE_CURRENT_LIST_DIR}/compare_texts.cmake)
  endif()
endif()

get_target_property(qmake Qt6::qmake IMPORTED_LOCATION)
get_filename_component(programs ${qmake} DIRECTORY)
find_program(FITUP_LCONVERT lconvert HINTS ${programs} ${programs}/../lib/qt6/bin)
if(NOT FITUP_LCONVERT)
  message(STATUS "lconvert (Qt's tools for languages) not found: the window is in English only")
else()
  set(resources "<RCC><qresource prefix=\"/translations\">")
  foreach(language IN LISTS FITUP_LANGUAGES)
    set(texts ${CMAKE_CURRENT_BINARY_DIR}/${language}.qm)
    add_custom_command(OUTPUT ${texts}
      COMMAND ${FITUP_LCONVERT} -i ${CMAKE_CURRENT_LIST_DIR}/${language}.po -o ${texts}
      DEPENDS ${CMAKE_CURRENT_LIST_DIR}/${language}.po VERBATIM)
    list(APPEND all_texts ${texts})
    string(APPEND resources "<file>${language}.qm</file>")
  endforeach()
  string(APPEND resources "</qresource></RCC>\n")
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/translations.qrc CONTENT "${resources}" @ONLY)
  set_property(SOURCE gui/language.cpp APPEND PROPERTY COMPILE_DEFINITIONS FITUP_HAS_TRANSLATIONS)
  target_sources(fitup_viewer_gui PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/translations.qrc)
  set_property(SOURCE ${CMAKE_CURRENT_BINARY_DIR}/translations.qrc TARGET_DIRECTORY fitup_viewer_gui
    PROPERTY OBJECT_DEPENDS "${all_texts}")
endif()
