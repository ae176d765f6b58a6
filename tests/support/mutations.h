#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace fitup::test {

/// Damages files; the same seed gives the same damage on every run and machine. Each call does one to four of
/// these: flipped bits; other bytes; lost, doubled, exchanged and foreign ranges; truncation; hostile numbers
/// in place of text numbers (NaN, infinities, huge, negative, subnormal) and of binary ones of one to eight
/// bytes; lost, doubled and exchanged lines and words; deep nesting of brackets.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string operator()(std::string bytes);

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }
  void change(std::string& bytes);
  void changeBytes(std::string& bytes);
  void changeRange(std::string& bytes);
  void changeTextNumber(std::string& bytes);
  void changeBinaryNumber(std::string& bytes);
  void changeLines(std::string& bytes);
  void changeWord(std::string& bytes);
  void nest(std::string& bytes);

  std::mt19937_64 random_;  // the standard fixes its numbers, but not those of distributions
};

}  // namespace fitup::test
