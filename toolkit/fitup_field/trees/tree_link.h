#pragma once

#include <cstdint>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// The target of a link of a node: a node or a triangle.
class TreeLink {
 public:
  TreeLink() = default;
  static TreeLink toNode(std::uint32_t node) noexcept { return TreeLink(node); }
  static TreeLink toTriangle(std::uint32_t triangle) noexcept { return TreeLink(triangle | leafBit); }
  [[nodiscard]] bool isTriangle() const noexcept { return (bits_ & leafBit) != 0; }
  [[nodiscard]] std::uint32_t node() const noexcept { return bits_; }
  [[nodiscard]] std::uint32_t triangle() const noexcept { return bits_ & ~leafBit; }
  friend bool operator==(const TreeLink&, const TreeLink&) = default;

 private:
  static constexpr std::uint32_t leafBit = 0x80000000U;
  explicit TreeLink(std::uint32_t bits) noexcept : bits_(bits) {}
  std::uint32_t bits_ = 0;
};

}  // namespace fitup
