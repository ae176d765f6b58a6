set(FITUP_VIEWER_CORE_TESTS
  autosave.cpp
  camera.cpp
  findings.cpp
  gizmo.cpp
  query_runner.cpp
  session.cpp
  track_recorder.cpp
  undo_stack.cpp
)
set(FITUP_VIEWER_CORE_TEST_LIBRARIES fitup::viewer_core)
