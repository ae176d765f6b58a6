set(FITUP_BASE_TESTS
  hash.cpp
  large_pages.cpp
  parallel.cpp
  work_meter.cpp
)
