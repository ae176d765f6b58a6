#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <utility>

#include <fitup/geometry/transform.h>
#include <fitup/scene/assembly.h>

namespace FITUP_EXPORT fitup {

/// The worldFromPart of each instance that is not at its design placement. A value.
///
/// Each instance is placed on its own: one below another instance does not follow it. Functions that take a
/// scene with poses throw InputError for a node that is not an instance of the scene.
class Poses {
 public:
  using Iterator = std::map<NodeId, Transform>::const_iterator;

  Poses() = default;
  Poses(std::initializer_list<std::pair<const NodeId, Transform>> placements) : placements_(placements) {}

  void set(NodeId instance, const Transform& worldFromPart) {
    placements_.insert_or_assign(instance, worldFromPart);
  }
  /// Adds all poses of `others`, replacing those of the same instances.
  void set(const Poses& others) {
    for (const auto& [instance, worldFromPart] : others) set(instance, worldFromPart);
  }
  /// Returns the instance to its design placement.
  void reset(NodeId instance) { placements_.erase(instance); }
  void clear() noexcept { placements_.clear(); }

  /// Null if the instance is at its design placement.
  [[nodiscard]] const Transform* find(NodeId instance) const noexcept {
    const auto found = placements_.find(instance);
    return found == placements_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool empty() const noexcept { return placements_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return placements_.size(); }
  /// Pairs of instance and worldFromPart, by instance.
  [[nodiscard]] Iterator begin() const noexcept { return placements_.begin(); }
  [[nodiscard]] Iterator end() const noexcept { return placements_.end(); }
  friend bool operator==(const Poses&, const Poses&) = default;

 private:
  std::map<NodeId, Transform> placements_;
};

}  // namespace fitup
