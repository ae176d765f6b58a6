set(FITUP_BASE_TESTS
  digest.cpp
  hash.cpp
  newest_task.cpp
  parallel.cpp
  text.cpp
  work_meter.cpp
)
