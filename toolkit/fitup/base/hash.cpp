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

/// One multiplication waits for the one before in its lane: eight lanes keep the multiplier busy.
class Lanes {
 public:
  explicit Lanes(std::size_t size) noexcept { states_.fill(0xcbf29ce484222325ULL ^ size); }

  /// Takes whole rows; how many bytes they are.
  std::size_t takeRows(std::span<const std::byte> bytes) noexcept {
    std::array<std::uint64_t, lanes> states = states_, words;
    std::size_t at = 0;
    for (; at + row <= bytes.size(); at += row) {
      std::memcpy(words.data(), bytes.data() + at, row);
      for (std::size_t lane = 0; lane < lanes; ++lane) states[lane] = taken(states[lane], words[lane]);
    }
    states_ = states;
    return at;
  }
  /// `rest`: less than a row.
  std::uint64_t finished(std::span<const std::byte> rest) noexcept {
    for (std::size_t lane = 0, at = 0; at < rest.size(); ++lane, at += wordSize) {
      std::uint64_t word = 0;
      std::memcpy(&word, rest.data() + at, std::min(wordSize, rest.size() - at));
      states_[lane] = taken(states_[lane], word);
    }
    for (std::size_t lane = 1; lane < lanes; ++lane) states_[0] = taken(states_[0], states_[lane]);
    return states_[0];
  }

 private:
  static constexpr std::size_t lanes = 8, wordSize = sizeof(std::uint64_t), row = lanes * wordSize;
  std::array<std::uint64_t, lanes> states_;
};

}  // namespace

std::uint64_t blockChecksum(std::span<const std::byte> bytes) noexcept {
  Lanes lanes(bytes.size());
  return lanes.finished(bytes.subspan(lanes.takeRows(bytes)));
}

std::uint64_t blockChecksum(std::span<const std::byte> bytes, const WorkMeter& meter) {
  constexpr std::size_t piece = std::size_t{1} << 24;
  Lanes lanes(bytes.size());
  std::size_t at = 0;
  for (; at + piece <= bytes.size(); at += piece) {
    lanes.takeRows(bytes.subspan(at, piece));
    meter.advance(piece);
  }
  meter.advance(bytes.size() - at);
  at += lanes.takeRows(bytes.subspan(at));
  return lanes.finished(bytes.subspan(at));
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
