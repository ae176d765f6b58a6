#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fitup {

/// A running 64-bit FNV-1a hash over bytes: identity of contents, not security.
///
/// The value depends only on the bytes fed, so it is the same on every run and every little-endian machine.
class ContentHash {
 public:
  void addBytes(const void* data, std::size_t size) noexcept {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 0x100000001b3ULL;
  }
  template <typename T>
  void addSpan(std::span<const T> values) noexcept {
    addBytes(values.data(), values.size_bytes());
  }
  /// Adds the length too, so that ("ab", "c") and ("a", "bc") differ.
  void addText(std::string_view text) noexcept {
    const std::uint64_t size = text.size();
    addBytes(&size, sizeof size);
    addBytes(text.data(), text.size());
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

/// Checksum of a block of bytes, eight at a time (several times faster than `ContentHash`): each
/// little-endian word w takes the state h to rotate((h ^ w) * k), a bijection of h and of w, so a change
/// within one word is never missed. Starts from the size; the last word is padded with zeros. Meant against
/// damage, not against forgery.
std::uint64_t blockChecksum(std::span<const std::byte> bytes) noexcept;

/// Sixteen lower-case hexadecimal digits.
std::string hashText(std::uint64_t hash);
/// The reverse; nothing for any other text.
std::optional<std::uint64_t> hashFromText(std::string_view text) noexcept;

}  // namespace fitup
