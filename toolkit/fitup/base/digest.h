#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// A SHA-256 digest (FIPS 180-4). Nobody can construct other bytes with the same digest, so it identifies
/// contents. All zeros, the digest of no known bytes, mean that the contents are unknown.
struct Digest {
  std::array<std::uint8_t, 32> bytes{};
  [[nodiscard]] bool isKnown() const noexcept { return *this != Digest{}; }
  friend bool operator==(const Digest&, const Digest&) = default;
};

/// Computes the digest of bytes that arrive in pieces. The division into pieces does not affect the result.
class Digester {
 public:
  /// Throws Error if OpenSSL's libcrypto refuses to compute SHA-256, as a policy of the system may demand.
  Digester();
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  /// Returns the digest of all bytes added. Nothing may be added afterwards.
  [[nodiscard]] Digest finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// Digest of a block of bytes or a text. Throws Error as `Digester` does.
Digest digestOf(std::span<const std::byte> bytes);
Digest digestOf(std::string_view text);

/// Returns a digest as 64 lower-case hexadecimal digits.
std::string digestText(const Digest& digest);

}  // namespace fitup
