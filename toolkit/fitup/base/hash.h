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

/// Returns a checksum of a block of bytes, at about the speed of memory. It protects against damage, not
/// against forgery.
///
/// The bytes are read as little-endian words of eight bytes. The words go to eight states in turn, so that
/// their multiplications overlap. A word w changes its state h to rotate((h ^ w) * k), which is a bijection
/// of h and of w; the states are combined in the same way. A change within one word therefore always changes
/// the checksum. The initial state depends on the size, and the last word is padded with zeros.
/// docs/reference/model-file.md defines the checksum to the bit.
std::uint64_t blockChecksum(std::span<const std::byte> bytes) noexcept;
/// Same as above for long files. Advances `meter` by one unit for each byte. Throws CancelledError.
std::uint64_t blockChecksum(std::span<const std::byte> bytes, const WorkMeter& meter);

/// Computes `blockChecksum` of bytes that arrive in pieces.
class RunningChecksum {
 public:
  /// Size that every piece except the last must be a multiple of, in bytes.
  static constexpr std::size_t granularity = 64;

  /// `size` is the number of bytes in all pieces together.
  explicit RunningChecksum(std::size_t size) noexcept;
  void add(std::span<const std::byte> piece) noexcept;
  [[nodiscard]] std::uint64_t value() const noexcept;

 private:
  std::array<std::uint64_t, 8> states_;
};

/// A running 64-bit hash of pieces. It identifies contents but is not secure against forgery.
///
/// The value depends on the bytes of each piece and on where pieces end, so ("ab", "c") and ("a", "bc")
/// differ. It is the same in every run and on every little-endian machine.
class ContentHash {
 public:
  template <typename T>
  void addSpan(std::span<const T> values) noexcept {
    add(blockChecksum(std::as_bytes(values)));
  }
  /// Adds the bytes of a value. Precondition: its type has no padding.
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

/// Returns a hash as sixteen lower-case hexadecimal digits.
std::string hashText(std::uint64_t hash);
/// Parses the result of `hashText`. Returns nothing for any other text.
std::optional<std::uint64_t> hashFromText(std::string_view text) noexcept;

}  // namespace fitup
