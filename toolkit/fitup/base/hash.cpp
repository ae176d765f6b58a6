#include <fitup/base/hash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace fitup {

static_assert(std::endian::native == std::endian::little, "checksums and model files are little-endian");

namespace {

/// Mixes a word into a state: a bijection of both. The factor is odd, and the rotation moves its best bits
/// down.
constexpr std::uint64_t taken(std::uint64_t state, std::uint64_t word) noexcept {
  return std::rotl((state ^ word) * 0x9e3779b97f4a7c15ULL, 29);
}

constexpr std::size_t wordSize = sizeof(std::uint64_t);

}  // namespace

// A multiplication depends on the previous one of its state, so eight states keep the multiplier busy.
RunningChecksum::RunningChecksum(std::size_t size) noexcept { states_.fill(0xcbf29ce484222325ULL ^ size); }

void RunningChecksum::add(std::span<const std::byte> piece) noexcept {
  static_assert(granularity == sizeof states_);
  std::array<std::uint64_t, 8> states = states_, words;
  std::size_t at = 0;
  for (; at + granularity <= piece.size(); at += granularity) {
    std::memcpy(words.data(), piece.data() + at, granularity);
    for (std::size_t i = 0; i < states.size(); ++i) states[i] = taken(states[i], words[i]);
  }
  for (std::size_t i = 0; at < piece.size(); ++i, at += wordSize) {
    std::uint64_t word = 0;
    std::memcpy(&word, piece.data() + at, std::min(wordSize, piece.size() - at));
    states[i] = taken(states[i], word);
  }
  states_ = states;
}

std::uint64_t RunningChecksum::value() const noexcept {
  std::uint64_t value = states_[0];
  for (std::size_t i = 1; i < states_.size(); ++i) value = taken(value, states_[i]);
  return value;
}

std::uint64_t blockChecksum(std::span<const std::byte> bytes) noexcept {
  RunningChecksum sum(bytes.size());
  sum.add(bytes);
  return sum.value();
}

std::uint64_t blockChecksum(std::span<const std::byte> bytes, const WorkMeter& meter) {
  constexpr std::size_t pieceSize = std::size_t{1} << 24;
  RunningChecksum sum(bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += pieceSize) {
    const auto piece = bytes.subspan(at, std::min(pieceSize, bytes.size() - at));
    sum.add(piece);
    meter.advance(piece.size());
  }
  return sum.value();
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
