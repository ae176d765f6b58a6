set(FITUP_MOTION_TESTS
  drag_guard.cpp
  first_contact.cpp
  plant_replay.cpp
  replay.cpp
  resolve.cpp
  track.cpp
)
