#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <fitup/base/digest.h>
#include <fitup/base/error.h>
#include <fitup/geometry/transform.h>
#include <fitup/mesh/surface.h>

namespace fitup::detail {

/// Appends little-endian values to a block of a model file.
class ByteWriter {
 public:
  template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void put(T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof value);
  }
  void put(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  void put(const std::string& text) { put(std::string_view(text)); }
  void put(const Digest& digest) {
    for (std::uint8_t byte : digest.bytes) put(byte);
  }
  void put(const Vec3& v) {
    for (double c : {v.x, v.y, v.z}) put(c);
  }
  void put(const Colour& c) {
    for (float part : {c.red, c.green, c.blue, c.alpha}) put(part);
  }
  void put(const Transform& t) {
    for (const auto& row : t.m)
      for (double entry : row) put(entry);
    put(t.t);
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(static_cast<std::uint8_t>(value.has_value()));
    if (value) put(*value);
  }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads values that `ByteWriter` wrote. Throws InputError, which names file and block, before it accesses
/// anything outside the block, and for a count for which the block has no room.
class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, std::string file, std::string block)
      : rest_(bytes), file_(std::move(file)), block_(std::move(block)) {}

  template <typename T>
  requires std::is_arithmetic_v<T>
  void get(T& value) { std::memcpy(&value, take(sizeof value).data(), sizeof value); }
  /// `last` is the largest enumerator.
  template <typename T>
  requires std::is_enum_v<T>
  void get(T& value, T last) {
    std::underlying_type_t<T> raw{};
    get(raw);
    if (raw < 0 || raw > static_cast<std::underlying_type_t<T>>(last)) fail("holds an unknown value");
    value = static_cast<T>(raw);
  }
  void get(std::string& text) {
    const std::size_t size = count(1);
    const auto bytes = take(size);
    text.assign(reinterpret_cast<const char*>(bytes.data()), size);
  }
  void get(Digest& digest) {
    for (std::uint8_t& byte : digest.bytes) get(byte);
  }
  void get(Vec3& v) {
    get(v.x);
    get(v.y);
    get(v.z);
  }
  void get(Colour& c) {
    get(c.red);
    get(c.green);
    get(c.blue);
    get(c.alpha);
  }
  void get(Transform& t) {
    for (auto& row : t.m)
      for (double& entry : row) get(entry);
    get(t.t);
  }
  template <typename T>
  void get(std::optional<T>& value) {
    if (flag()) get(value.emplace());
  }
  bool flag() {
    std::uint8_t raw = 0;
    get(raw);
    if (raw > 1) fail("holds an unknown value");
    return raw == 1;
  }
  /// A count of elements that take at least `smallest` bytes each.
  std::size_t count(std::size_t smallest) {
    std::uint64_t n = 0;
    get(n);
    if (n > rest_.size() / smallest) fail("a count exceeds the block");
    return static_cast<std::size_t>(n);
  }
  void expectEnd() const {
    if (!rest_.empty()) fail("is longer than its contents");
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(file_, "block " + block_, problem);
  }

 private:
  std::span<const std::byte> take(std::size_t size) {
    if (size > rest_.size()) fail("is too short");
    const auto taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }

  std::span<const std::byte> rest_;
  std::string file_, block_;
};

}  // namespace fitup::detail
