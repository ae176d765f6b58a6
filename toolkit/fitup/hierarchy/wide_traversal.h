#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/traversal.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace fitup {

namespace detail {
struct StepsApart;
struct StepsPerGap;
}  // namespace detail

/// Scratch memory of `traverseWide`, kept by the caller between queries.
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

// ---- memory of queries for the first pair with `Coherence::on` ----

struct WideWitness {
  TrianglePair pair;
  std::uint32_t triangleTests = 0;
};

/// The last witness, or a pair tested together with it, if it meets here too.
std::optional<WideWitness> recallWitness(const WideBvh& treeOfA, const TriangleMesh& a,
                                         const WideBvh& treeOfB, const TriangleMesh& b,
                                         const Transform& aFromB, Touching touching, VectorUse vectorUse,
                                         WideScratch& scratch);

/// Whether the last query found a pair.
[[nodiscard]] bool hasWitness(WideScratch& scratch);
/// A query that finds nothing shall tell for how many steps of this pace the parts stay apart. Nothing: it
/// need not. Asked before each query.
void wantSteps(WideScratch& scratch, const std::optional<detail::StepsPerGap>& pace);
/// Of the last query; no steps where it found something, was stopped, or what was near left too few.
[[nodiscard]] detail::StepsApart stepsTold(WideScratch& scratch);

/// Finds the pairs that the task asks for by descending both trees together, node pair by node pair: eight
/// boxes against eight in the axes of both nodes (the separating axes of SAT lite, van den Bergen 1998), then
/// eight triangles against eight. The trees may have different layouts.
void traverseWide(const TraversalTask& task, const WideBvh& treeOfA, const WideBvh& treeOfB,
                  WideScratch& scratch);

}  // namespace fitup
