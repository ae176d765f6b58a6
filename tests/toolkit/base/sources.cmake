set(FITUP_BASE_TESTS
  digest.cpp
  hash.cpp
  parallel.cpp
  work_meter.cpp
)
