set(FITUP_BASE_TESTS
  hash.cpp
  parallel.cpp
)
