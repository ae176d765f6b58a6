#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Nodes of a tree that share their parent and name. Paths are written and found in time that does not grow
/// with the number of siblings. Nodes are ordinals from 0, in the order in which they are added; names never
/// change.
class SiblingNames {
 public:
  /// Adds the next node; without a parent it is a root.
  void add(std::optional<std::uint32_t> parent, const std::string& name);
  /// The nodes of one parent and name, in order; empty if there are none.
  [[nodiscard]] std::span<const std::uint32_t> named(std::optional<std::uint32_t> parent,
                                                     const std::string& name) const;
  /// The number of nodes that share the parent and name of a node, itself included; and its place among them,
  /// from 0.
  [[nodiscard]] std::size_t count(std::uint32_t node) const {
    return families_[members_[node].family].size();
  }
  [[nodiscard]] std::size_t place(std::uint32_t node) const { return members_[node].place; }

 private:
  struct Key {
    std::optional<std::uint32_t> parent;
    std::string name;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct Member {
    std::uint32_t family, place;
  };
  std::vector<std::vector<std::uint32_t>> families_;
  std::vector<Member> members_;
  std::unordered_map<Key, std::uint32_t, KeyHash> familyOf_;
};

}  // namespace fitup
