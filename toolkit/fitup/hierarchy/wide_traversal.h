#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/traversal.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace fitup {

namespace detail {
struct StepsPerGap;
struct StepsTold;
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
/// Queries that find nothing shall tell for how many steps like these the parts stay apart; where no motion
/// is known, how many parts of their size they are. Nothing: they need not.
void wantSteps(WideScratch& scratch, const std::optional<detail::StepsPerGap>& pace);
/// Of the last query; no steps where it found something, was stopped, or what was near left less than one.
[[nodiscard]] detail::StepsTold stepsTold(WideScratch& scratch);

/// Finds the pairs that the task asks for by descending both trees together, node pair by node pair: eight
/// boxes against eight in the axes of both nodes (the separating axes of SAT lite, van den Bergen 1998), then
/// eight triangles against eight. The trees may have different layouts.
void traverseWide(const TraversalTask& task, const WideBvh& treeOfA, const WideBvh& treeOfB,
                  WideScratch& scratch);

}  // namespace fitup
