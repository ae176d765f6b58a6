#pragma once

#include <cstdint>
#include <memory>

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/traversal.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace fitup {

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

/// What is known of a pair from queries before with `Coherence::on`.
struct WideRecollection {
  enum class Answer {
    unknown,
    apart,  ///< nothing has moved far enough since to meet
    meets,  ///< the last witness intersects here too, or a pair beside it
  };
  Answer answer = Answer::unknown;
  TrianglePair witness;
  std::uint32_t triangleTests = 0;
};

/// Answers for the first pair without a traversal, if that can be.
WideRecollection recall(const WideBvh& treeOfA, const TriangleMesh& a, const WideBvh& treeOfB,
                        const TriangleMesh& b, const Transform& aFromB, Touching touching,
                        VectorUse vectorUse, WideScratch& scratch);

/// Whether the last query for the first pair with `Coherence::on` found one.
[[nodiscard]] bool hasWitness(WideScratch& scratch);
/// One that finds none also tells how far the parts are apart at least, in the axes of A; 0 if it cannot. It
/// looks a little further for gaps up to `wanted`, if that was said before.
void wantGap(WideScratch& scratch, double wanted);
[[nodiscard]] double gapFound(WideScratch& scratch);

/// Finds the pairs that the task asks for by descending both trees together, node pair by node pair: eight
/// boxes against eight in the axes of both nodes (the separating axes of SAT lite, van den Bergen 1998), then
/// eight triangles against eight. The trees may have different layouts.
void traverseWide(const TraversalTask& task, const WideBvh& treeOfA, const WideBvh& treeOfB,
                  WideScratch& scratch);

}  // namespace fitup
