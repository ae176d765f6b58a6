set(FITUP_MOTION_TESTS
  plant_replay.cpp
  replay.cpp
  resolve.cpp
  track.cpp
  verify_replay.cpp
)
