#include <fitup/base/hash.h>

#include <bit>
#include <cstring>

namespace fitup {

static_assert(std::endian::native == std::endian::little, "checksums and model files are little-endian");

std::uint64_t blockChecksum(std::span<const std::byte> bytes) noexcept {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ULL;  // odd, so that multiplying is a bijection
  std::uint64_t state = 0xcbf29ce484222325ULL ^ bytes.size();
  const auto add = [&](std::uint64_t word) { state = std::rotl((state ^ word) * factor, 29); };
  std::uint64_t word = 0;
  std::size_t i = 0;
  for (; i + sizeof word <= bytes.size(); i += sizeof word) {
    std::memcpy(&word, bytes.data() + i, sizeof word);
    add(word);
  }
  if (i < bytes.size()) {
    word = 0;
    std::memcpy(&word, bytes.data() + i, bytes.size() - i);
    add(word);
  }
  return state;
}

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
