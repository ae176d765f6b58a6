#include <fitup/hierarchy/wide_traversal.h>

// Compiled once for each instruction set; the best one that the processor has is chosen at the first call.
// SSSE3 and the later AVX-512 extensions add nothing that this code uses.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/hierarchy/wide_traversal.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#define FITUP_LANES HWY_NAMESPACE
#include <fitup/hierarchy/detail/wide_traversal-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup {
namespace HWY_NAMESPACE {

detail::WideDecided decideBatch(const detail::TriangleBatch& batch, const Transform& aFromB) {
  return detail::HWY_NAMESPACE::decideBatch(batch, aFromB);
}

bool traverse(const TraversalTask& task, const WideBvh& a, const WideBvh& b, const detail::WideQuery& query,
              WideScratch::Data& scratch, const detail::WideOrder& order) {
  return detail::HWY_NAMESPACE::traverse(task, a, b, query, scratch, order);
}

}  // namespace HWY_NAMESPACE
}  // namespace fitup
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <fitup/base/parallel.h>
#include <fitup/hierarchy/detail/wide_scalar.h>

namespace fitup {

struct WideScratch::Data::Workers {
  struct Worker {
    Data data;
    std::vector<TrianglePair> found;
    QueryStats stats;
    StopCheck stop;
  };
  /// More workers than cores take turns.
  explicit Workers(unsigned threads)
      : arena(std::min(static_cast<int>(threads), tbb::info::default_concurrency())), worker(threads) {}
  tbb::task_arena arena;
  std::vector<Worker> worker;
};

namespace {

HWY_EXPORT(traverse);
HWY_EXPORT(decideBatch);

using detail::PairSet;
using detail::WideHistory;
using detail::WideIdentity;
using detail::WideOrder;
using detail::WideQuery;

/// A query of two trees, in the form of code that the task asks for.
class WideRun {
 public:
  WideRun(const TraversalTask& task, const WideBvh& a, const WideBvh& b, WideScratch::Data& scratch)
      : task_(task), a_(a), b_(b), scratch_(scratch), query_(detail::prepareWideQuery(task)) {}

  void run() {
    scratch_.found.clear();
    if (task_.coherence == Coherence::on && task_.mode == QueryMode::firstSurfacePair) return coherently();
    if (scratch_.history.witness) scratch_.history.witness->inBatch = 0;
    const bool divisible = task_.mode != QueryMode::firstSurfacePair &&
                           task_.maxPairs == std::numeric_limits<std::size_t>::max();
    if (const unsigned threads = workerCount(divisible ? task_.threads : 1, mostThreads); threads > 1)
      return onThreads(threads);
    startAtRoots(scratch_);
    traverse(task_, scratch_, {});
  }

 private:
  static constexpr std::size_t mostThreads = 1024;

  static void startAtRoots(WideScratch::Data& scratch) {
    scratch.stack.clear();
    scratch.stack.push(PairSet::of({0, 0}));
  }

  bool traverse(const TraversalTask& task, WideScratch::Data& scratch, const WideOrder& order) const {
    if (task.vectorUse == VectorUse::scalar)
      return detail::traverseWideScalar(task, a_, b_, query_, scratch, order);
    return HWY_DYNAMIC_DISPATCH(traverse)(task, a_, b_, query_, scratch, order);
  }

  /// Breadth first until there is enough to share, then each worker takes one pair after the other.
  void onThreads(unsigned threads) {
    WideOrder order;
    order.spreadUntil = std::size_t{64} * threads;
    scratch_.stack.clear();
    scratch_.shared.assign(1, {0, 0});
    traverse(task_, scratch_, order);
    if (scratch_.shared.empty() || task_.stop.reason() != StopCheck::Reason::none) return;
    if (!scratch_.workers || scratch_.workers->worker.size() != threads)
      scratch_.workers = std::make_shared<WideScratch::Data::Workers>(threads);
    WideScratch::Data::Workers& workers = *scratch_.workers;
    std::atomic<std::size_t> next{0};
    workers.arena.execute([&] {
      tbb::parallel_for(
          0U, threads, [&](unsigned w) { work(workers.worker[w], next); }, tbb::simple_partitioner());
    });
    for (WideScratch::Data::Workers::Worker& worker : workers.worker) collect(worker);
  }
  void work(WideScratch::Data::Workers::Worker& worker, std::atomic<std::size_t>& next) const {
    worker.stats = {};
    worker.found.clear();
    worker.stop = task_.stop;
    worker.data.found = scratch_.found;
    const TraversalTask task = task_.into(worker.stop, worker.stats, worker.found);
    for (std::size_t i = next++; i < scratch_.shared.size(); i = next++) {
      if (worker.stop.reason() != StopCheck::Reason::none) return;
      worker.data.stack.clear();
      worker.data.stack.push(PairSet::of(scratch_.shared[i]));
      traverse(task, worker.data, {});
    }
  }
  void collect(WideScratch::Data::Workers::Worker& worker) {
    task_.stats += worker.stats;
    task_.stop.stopLike(worker.stop);
    for (const TrianglePair& pair : worker.found) {
      if (task_.mode == QueryMode::allSurfacePairs) {
        const auto a = static_cast<std::uint32_t>(task_.a.surfaceOf(pair.a)),
                   b = static_cast<std::uint32_t>(task_.b.surfaceOf(pair.b));
        if (scratch_.found.contains(a, b)) continue;  // another worker was there too
        scratch_.found.insert(a, b);
      }
      task_.found.push_back(pair);
    }
  }

  void coherently() {
    WideHistory& history = scratch_.history;
    const WideIdentity a = WideIdentity::of(a_, task_.a), b = WideIdentity::of(b_, task_.b);
    if (history.treeA != a || history.treeB != b) {
      history = {};
      history.treeA = a;
      history.treeB = b;
    }
    history.gapNow = 0;
    WideOrder order;
    if (history.witness) {
      order.witness = history.witness->leaves;
      if (traverse(task_, scratch_, order)) return;
      order.witness.reset();
    }
    // Where a witness was lost, another pair is likely near: no front is written then.
    const bool wantFront = !history.witness;
    history.witness.reset();
    if (!wantFront || !resumeFront()) beginFront();
    order.writeFront = wantFront && query_.orthogonal;
    traverse(task_, scratch_, order);
    history.hasFront =
        !history.witness && task_.stop.reason() == StopCheck::Reason::none && !history.front.empty();
    if (!history.hasFront) history.gapNow = 0;
  }

  /// Puts what may have come close on the stack; false if that is most of the front, or there is none.
  bool resumeFront() {
    WideHistory& history = scratch_.history;
    const double moved = history.movedSince(task_.placement.aFromB);
    if (!std::isfinite(moved)) return false;
    query_.movedSinceFront = floatAbove(moved * (1 + 0x1p-40));
    const auto near = std::partition(history.front.begin(), history.front.end(),
                                     [&](const auto& pair) { return pair.gap > query_.movedSinceFront; });
    if (2 * (history.front.end() - near) > near - history.front.begin()) return false;
    scratch_.stack.clear();
    for (auto it = near; it != history.front.end(); ++it) scratch_.stack.push(PairSet::of(it->slots));
    history.front.erase(near, history.front.end());
    float leastKept = std::numeric_limits<float>::infinity();
    for (const auto& pair : history.front) leastKept = std::min(leastKept, pair.gap);
    history.leastGap = leastKept;
    history.gapNow = leastKept - query_.movedSinceFront;
    return true;
  }
  void beginFront() {
    WideHistory& history = scratch_.history;
    query_.movedSinceFront = 0;
    history.front.clear();
    history.leastGap = history.gapNow = std::numeric_limits<float>::infinity();
    history.aFromB = task_.placement.aFromB;
    history.centreOfB = task_.b.bounds().centre();
    history.radiusOfB = norm(task_.b.bounds().halfExtent());
    startAtRoots(scratch_);
  }

  const TraversalTask& task_;
  const WideBvh& a_;
  const WideBvh& b_;
  WideScratch::Data& scratch_;
  WideQuery query_;
};

/// A pair that meets among those that were tested together with the last witness.
std::optional<TrianglePair> witnessAt(const WideScratch::Data& scratch, const TriangleMesh& a,
                                      const TriangleMesh& b, const Transform& aFromB, Touching touching,
                                      VectorUse vectorUse) {
  const WideHistory::Witness& witness = *scratch.history.witness;
  const detail::TriangleBatch& batch = scratch.batch;
  if (witness.inBatch > 0 && vectorUse == VectorUse::best && detail::suitsVectorTriangles(a, b, aFromB)) {
    const detail::WideDecided decided = HWY_DYNAMIC_DISPATCH(decideBatch)(batch, aFromB);
    const std::uint32_t asked = (1U << witness.inBatch) - 1;
    if (const std::uint32_t hits = decided.hits & asked; hits != 0) {
      const auto k = static_cast<std::size_t>(std::countr_zero(hits));
      return TrianglePair{TriangleId{std::bit_cast<std::uint32_t>(batch.a[9][k])},
                          TriangleId{std::bit_cast<std::uint32_t>(batch.b[9][k])}};
    }
    if ((asked & ~decided.misses) == 0) return std::nullopt;
  }
  const TrianglePair pair = witness.triangles;
  Triangle placed = b.triangle(pair.b);
  for (Vec3& v : placed.v) v = aFromB.apply(v);
  if (TriangleTester(placed, touching).intersects(a.triangle(pair.a))) return pair;
  return std::nullopt;
}

}  // namespace

WideScratch::WideScratch() : data_(std::make_unique<Data>()) {}
WideScratch::~WideScratch() = default;
WideScratch::WideScratch(WideScratch&&) noexcept = default;
WideScratch& WideScratch::operator=(WideScratch&&) noexcept = default;

WideRecollection recall(const WideBvh& treeOfA, const TriangleMesh& a, const WideBvh& treeOfB,
                        const TriangleMesh& b, const Transform& aFromB, Touching touching,
                        VectorUse vectorUse, WideScratch& scratch) {
  using Answer = WideRecollection::Answer;
  const WideHistory& history = scratch.data().history;
  if (history.treeA != WideIdentity::of(treeOfA, a) || history.treeB != WideIdentity::of(treeOfB, b))
    return {};
  if (history.witness)
    if (const auto pair = witnessAt(scratch.data(), a, b, aFromB, touching, vectorUse))
      return {Answer::meets, *pair, std::max(1U, history.witness->inBatch)};
  if (history.leastGap > 0 && history.movedSince(aFromB) * (1 + 0x1p-40) < history.leastGap)
    return {Answer::apart, {}};
  return {};
}

bool hasWitness(WideScratch& scratch) { return scratch.data().history.witness.has_value(); }
void wantGap(WideScratch& scratch, double wanted) {
  WideHistory& history = scratch.data().history;
  history.wantedGap = static_cast<float>(std::min(wanted, 0x1p60));
  history.gapNow = 0;
}
double gapFound(WideScratch& scratch) { return scratch.data().history.gapNow; }

void traverseWide(const TraversalTask& task, const WideBvh& treeOfA, const WideBvh& treeOfB,
                  WideScratch& scratch) {
  WideRun(task, treeOfA, treeOfB, scratch.data()).run();
}

}  // namespace fitup
#endif
