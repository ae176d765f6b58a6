#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <fitup/base/work_meter.h>

namespace FITUP_EXPORT fitup {

/// Checksum of a block of bytes, about as fast as memory is read: little-endian words of eight bytes are
/// dealt in turn to eight states, so that their multiplications overlap. A word w takes its state h to
/// rotate((h ^ w) * k), a bijection of h and of w, and the states are taken together in the same way; so a
/// change within one word is never missed. Starts from the size; the last word is padded with zeros. Meant
/// against damage, not against forgery. docs/reference/model-file.md defines it to the bit.
std::uint64_t blockChecksum(std::span<const std::byte> bytes) noexcept;
/// The same; advances `meter` by a unit a byte, for files that are read while they are looked at. Throws
/// CancelledError.
std::uint64_t blockChecksum(std::span<const std::byte> bytes, const WorkMeter& meter);

/// `blockChecksum` of bytes that come piece by piece.
class RunningChecksum {
 public:
  /// Every piece but the last is a multiple of so many bytes.
  static constexpr std::size_t granularity = 64;

  /// `size`: of all bytes together.
  explicit RunningChecksum(std::size_t size) noexcept;
  void add(std::span<const std::byte> piece) noexcept;
  [[nodiscard]] std::uint64_t value() const noexcept;

 private:
  std::array<std::uint64_t, 8> states_;
};

/// A running 64-bit hash over pieces: identity of contents, not security.
///
/// The value depends on the bytes of each piece and on where pieces end, so ("ab", "c") and ("a", "bc")
/// differ. It is the same on every run and every little-endian machine.
class ContentHash {
 public:
  template <typename T>
  void addSpan(std::span<const T> values) noexcept {
    add(blockChecksum(std::as_bytes(values)));
  }
  /// A value without padding.
  template <typename T>
  void addValue(const T& value) noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    addSpan(std::span<const T>(&value, 1));
  }
  void addText(std::string_view text) noexcept { addSpan(std::span<const char>(text)); }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

 private:
  void add(std::uint64_t piece) noexcept;
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

/// Sixteen lower-case hexadecimal digits.
std::string hashText(std::uint64_t hash);
/// The reverse; nothing for any other text.
std::optional<std::uint64_t> hashFromText(std::string_view text) noexcept;

}  // namespace fitup
