set(FITUP_BASE_TESTS
  digest.cpp
  hash.cpp
  parallel.cpp
  text.cpp
  work_meter.cpp
)
