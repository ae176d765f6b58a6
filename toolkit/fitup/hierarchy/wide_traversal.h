#pragma once

#include <cstdint>
#include <memory>

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/traversal.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace FITUP_EXPORT fitup {

/// Scratch memory of `traverseWide`, which the caller keeps between queries.
class WideScratch {
 public:
  WideScratch();
  ~WideScratch();
  WideScratch(WideScratch&&) noexcept;
  WideScratch& operator=(WideScratch&&) noexcept;

  struct Data;
  [[nodiscard]] Data& data() noexcept { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

/// Finds the pairs for the task by descending both trees together, node pair by node pair. It tests eight
/// boxes against eight along the axes of both nodes (the separating axes of SAT lite, van den Bergen 1998),
/// then eight triangles against eight. The trees may have different layouts.
void traverseWide(const TraversalTask& task, const WideBvh& treeOfA, const WideBvh& treeOfB,
                  WideScratch& scratch);

}  // namespace fitup
