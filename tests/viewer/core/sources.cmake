set(FITUP_VIEWER_CORE_TESTS
  autosave.cpp
  camera.cpp
  check_scope.cpp
  findings.cpp
  gizmo.cpp
  measurement.cpp
  motion_check.cpp
  navigation.cpp
  nudge.cpp
  properties.cpp
  query_runner.cpp
  section_handle.cpp
  session.cpp
  track_recorder.cpp
  undo_stack.cpp
)
set(FITUP_VIEWER_CORE_TEST_LIBRARIES fitup::viewer_core)
