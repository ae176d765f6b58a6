#pragma once

namespace fitup::test {

/// Selects how much of a family is tried: a sample in every run of the suite, all of it by `./test.sh --long`
/// (FITUP_BUILD_LONG_TESTS). A sample keeps one of each kind of case and leaves out further seeds, sizes and
/// placements of the same kinds.
template <typename T>
constexpr T effort([[maybe_unused]] T sample, [[maybe_unused]] T whole) {
#ifdef FITUP_LONG_TESTS
  return whole;
#else
  return sample;
#endif
}

}  // namespace fitup::test
