#include <fitup/base/hash.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace hash_tests {

using namespace fitup;

namespace {

std::vector<std::byte> someBytes(std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::uint32_t state = 12345;
  for (std::byte& b : bytes) b = std::byte((state = state * 1664525U + 1013904223U) >> 24);
  return bytes;
}

/// Computes the checksum of docs/reference/model-file.md, byte by byte.
std::uint64_t checksumOfTheDocument(const std::vector<std::byte>& bytes) {
  const auto take = [](std::uint64_t& s, std::uint64_t w) {
    s = std::rotl((s ^ w) * 0x9e3779b97f4a7c15ULL, 29);
  };
  std::vector<std::uint64_t> states(8, 0xcbf29ce484222325ULL ^ bytes.size());
  for (std::size_t i = 0; i < (bytes.size() + 7) / 8; ++i) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < 8 && 8 * i + k < bytes.size(); ++k)
      word |= static_cast<std::uint64_t>(bytes[8 * i + k]) << 8 * k;
    take(states[i % 8], word);
  }
  for (std::size_t lane = 1; lane < 8; ++lane) take(states[0], states[lane]);
  return states[0];
}

std::uint64_t hashOf(const std::vector<std::string>& pieces) {
  ContentHash hash;
  for (const std::string& piece : pieces) hash.addText(piece);
  return hash.value();
}

}  // namespace

TEST_CASE("the block checksum is the document's, at every size and alignment", "[base]") {
  for (std::size_t size = 0; size <= 300; ++size) {
    const auto bytes = someBytes(size);
    REQUIRE(blockChecksum(bytes) == checksumOfTheDocument(bytes));
    // Wherever the bytes are in memory.
    std::vector<std::byte> shifted(size + 3);
    std::copy(bytes.begin(), bytes.end(), shifted.begin() + 3);
    REQUIRE(blockChecksum(std::span(shifted).subspan(3)) == blockChecksum(bytes));
  }
}

TEST_CASE("the block checksum may be taken piece by piece", "[base]") {
  const auto bytes = someBytes(1000);
  for (std::size_t piece = RunningChecksum::granularity; piece <= 1024;
       piece += RunningChecksum::granularity) {
    RunningChecksum sum(bytes.size());
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      sum.add(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
    REQUIRE(sum.value() == blockChecksum(bytes));
  }
}

TEST_CASE("the block checksum is frozen", "[base]") {
  // Model files and recorded tracks contain such values.
  CHECK(blockChecksum({}) == 0xe20a26d5fd7bf87fULL);
  CHECK(blockChecksum(someBytes(1000)) == 0x9bf93a00a0061756ULL);
}

TEST_CASE("a change of any bit, and of length, changes the checksum", "[base]") {
  for (std::size_t size : {1U, 7U, 8U, 63U, 64U, 65U, 200U}) {
    auto bytes = someBytes(size);
    const std::uint64_t whole = blockChecksum(bytes);
    std::size_t missed = 0;
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      bytes[bit / 8] ^= std::byte(1U << bit % 8);
      missed += blockChecksum(bytes) == whole;
      bytes[bit / 8] ^= std::byte(1U << bit % 8);
    }
    CHECK(missed == 0);
    CHECK(blockChecksum(std::span(bytes).first(size - 1)) != whole);
    bytes.push_back(std::byte(0));
    CHECK(blockChecksum(bytes) != whole);
  }
}

TEST_CASE("words that change places change the checksum", "[base]") {
  auto bytes = someBytes(256);
  const std::uint64_t whole = blockChecksum(bytes);
  for (std::size_t i = 0; i < 32; ++i)
    for (std::size_t j = i + 1; j < 32; ++j) {
      const auto word = [&](std::size_t k) { return bytes.begin() + static_cast<std::ptrdiff_t>(8 * k); };
      std::swap_ranges(word(i), word(i + 1), word(j));
      REQUIRE(blockChecksum(bytes) != whole);
      std::swap_ranges(word(i), word(i + 1), word(j));
    }
}

TEST_CASE("a content hash depends on where pieces end", "[base]") {
  CHECK(hashOf({"ab", "c"}) == hashOf({"ab", "c"}));
  CHECK(hashOf({"ab", "c"}) != hashOf({"a", "bc"}));
  CHECK(hashOf({"abc"}) != hashOf({"abc", ""}));
  CHECK(hashOf({"a", "b"}) != hashOf({"b", "a"}));
  CHECK(hashOf({}) != hashOf({""}));
}

}  // namespace hash_tests
