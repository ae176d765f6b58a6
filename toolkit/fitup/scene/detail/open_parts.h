#pragma once

#include <set>
#include <vector>

#include <fitup/scene/interference.h>

namespace fitup::detail {

/// Gathers which parts are not closed, for `InterferenceReport::openParts`. A part without triangles is in no
/// pair.
class OpenParts {
 public:
  /// Null or empty, where building them was cancelled: nothing is known to be open.
  explicit OpenParts(const BodyModels* bodies) : bodies_(bodies) {}
  void add(PartId part) {
    if (bodies_ != nullptr && !bodies_->empty() && !(*bodies_)[index(part)]->closedness().closed())
      open_.insert(part);
  }
  [[nodiscard]] std::vector<PartId> list() const { return {open_.begin(), open_.end()}; }

 private:
  const BodyModels* bodies_;
  std::set<PartId> open_;
};

}  // namespace fitup::detail
