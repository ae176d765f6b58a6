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

/// SHA-256 (FIPS 180-4) of some bytes: nobody can make other bytes of the same digest, so contents may be
/// known by it. All zeros, which no bytes are known to have, stand for contents that nobody knows.
struct Digest {
  std::array<std::uint8_t, 32> bytes{};
  [[nodiscard]] bool isKnown() const noexcept { return *this != Digest{}; }
  friend bool operator==(const Digest&, const Digest&) = default;
};

/// The digest of bytes that come in pieces; where pieces end does not matter.
class Digester {
 public:
  /// Throws Error where the library that computes it (OpenSSL's libcrypto) refuses, as may be under a policy
  /// of the system's.
  Digester();
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  /// Of all that was added; nothing may be added afterwards.
  [[nodiscard]] Digest finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

Digest digestOf(std::span<const std::byte> bytes);
Digest digestOf(std::string_view text);

/// 64 lower-case hexadecimal digits.
std::string digestText(const Digest& digest);

}  // namespace fitup
