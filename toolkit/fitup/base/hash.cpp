#include <fitup/base/hash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace fitup {

static_assert(std::endian::native == std::endian::little, "checksums and model files are little-endian");

namespace {

/// A bijection of the state and of the word; the factor is odd and the rotation brings its best bits down.
constexpr std::uint64_t taken(std::uint64_t state, std::uint64_t word) noexcept {
  return std::rotl((state ^ word) * 0x9e3779b97f4a7c15ULL, 29);
}

}  // namespace

std::uint64_t blockChecksum(std::span<const std::byte> bytes) noexcept {
  // One multiplication waits for the one before in its lane: eight lanes keep the multiplier busy.
  constexpr std::size_t lanes = 8, wordSize = sizeof(std::uint64_t), row = lanes * wordSize;
  std::array<std::uint64_t, lanes> states;
  states.fill(0xcbf29ce484222325ULL ^ bytes.size());
  std::array<std::uint64_t, lanes> words;
  std::size_t at = 0;
  for (; at + row <= bytes.size(); at += row) {
    std::memcpy(words.data(), bytes.data() + at, row);
    for (std::size_t lane = 0; lane < lanes; ++lane) states[lane] = taken(states[lane], words[lane]);
  }
  for (std::size_t lane = 0; at < bytes.size(); ++lane, at += wordSize) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(wordSize, bytes.size() - at));
    states[lane] = taken(states[lane], word);
  }
  for (std::size_t lane = 1; lane < lanes; ++lane) states[0] = taken(states[0], states[lane]);
  return states[0];
}

void ContentHash::add(std::uint64_t piece) noexcept { value_ = taken(value_, piece); }

std::string hashText(std::uint64_t hash) {
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, hash >>= 4) text[static_cast<std::size_t>(i)] = "0123456789abcdef"[hash & 15];
  return text;
}

std::optional<std::uint64_t> hashFromText(std::string_view text) noexcept {
  if (text.size() != 16) return std::nullopt;
  std::uint64_t hash = 0;
  for (char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && !(c >= 'a' && c <= 'f')) return std::nullopt;
    hash = hash << 4 | static_cast<std::uint64_t>(digit ? c - '0' : c - 'a' + 10);
  }
  return hash;
}

}  // namespace fitup
