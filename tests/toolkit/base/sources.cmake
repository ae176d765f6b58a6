set(FITUP_BASE_TESTS
  hash.cpp
  parallel.cpp
  work_meter.cpp
)
