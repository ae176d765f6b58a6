#include <fitup/hierarchy/wide_traversal.h>

#include <fitup/hierarchy/detail/kernel_targets.h>
#include <fitup/hierarchy/detail/wide_task.h>

// Declarations for each instruction set. Those of the compiler's own set come last.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/hierarchy/detail/wide_traversal_kernel-inl.h"
#include <hwy/foreach_target.h>

#include <fitup/hierarchy/detail/wide_traversal_kernel-inl.h>

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
#include <fitup/hierarchy/wide_memory-inl.h>

namespace fitup {

struct WideScratch::Data::Workers {
  struct Worker {
    Data data;
    std::vector<TrianglePair> found;
    std::vector<SurfacePair> surfaces;
    QueryStats stats;
    StopCheck stop;
  };
  /// If there are more workers than cores, they take turns.
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

/// A query of two trees, in the form of code that the task requests.
class WideRun {
 public:
  WideRun(const TraversalTask& task, const WideBvh& a, const WideBvh& b, WideScratch::Data& scratch)
      : task_(task), a_(a), b_(b), scratch_(scratch), query_(detail::prepareWideQuery(task)) {}

  void run() {
    scratch_.found.clear();
    if (task_.coherence == Coherence::on && task_.mode == QueryMode::firstSurfacePair) return coherently();
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

  void traverse(const TraversalTask& task, WideScratch::Data& scratch, const WideOrder& order) const {
    if (task.vectorUse == VectorUse::scalar)
      return detail::traverseWideScalar(task, a_, b_, query_, scratch, order);
    HWY_DYNAMIC_DISPATCH(traverse)(task, a_, b_, query_, scratch, order);
  }

  /// Descends breadth first until there are enough pairs to share. Then each worker takes one pair after the
  /// other.
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
    worker.surfaces.clear();
    worker.stop = task_.stop;
    worker.data.found = scratch_.found;
    const TraversalTask task = task_.into(worker.stop, worker.stats, worker.found, worker.surfaces);
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
    if (task_.mode == QueryMode::allTrianglePairs) {
      task_.found.insert(task_.found.end(), worker.found.begin(), worker.found.end());
      return;
    }
    for (std::size_t i = 0; i < worker.found.size(); ++i) {
      const SurfacePair& s = worker.surfaces[i];
      if (scratch_.found.contains(index(s.a), index(s.b))) continue;  // another worker found it too
      scratch_.found.insert(index(s.a), index(s.b));
      task_.add(worker.found[i].a, worker.found[i].b, s);
    }
  }

  void coherently() {
    WideHistory& history = scratch_.history;
    const WideIdentity a = WideIdentity::of(a_, task_.a), b = WideIdentity::of(b_, task_.b);
    if (history.treeA != a || history.treeB != b) {
      history.treeA = a;
      history.treeB = b;
      history.witness.reset();
    }
    WideOrder order;
    if (history.witness) order.witness = history.witness->leaves;
    order.countSteps = history.pace && history.pace->anyWay > 0 && query_.orthogonal;
    history.witness.reset();
    startAtRoots(scratch_);
    traverse(task_, scratch_, order);
    if (task_.stop.reason() != StopCheck::Reason::none) history.apart = {};
  }

  const TraversalTask& task_;
  const WideBvh& a_;
  const WideBvh& b_;
  WideScratch::Data& scratch_;
  WideQuery query_;
};

}  // namespace

WideScratch::WideScratch() : data_(std::make_unique<Data>()) {}
WideScratch::~WideScratch() = default;
WideScratch::WideScratch(WideScratch&&) noexcept = default;
WideScratch& WideScratch::operator=(WideScratch&&) noexcept = default;

namespace detail {

std::optional<WideWitness> recallWitness(const WideBvh& treeOfA, const TriangleMesh& a,
                                         const WideBvh& treeOfB, const TriangleMesh& b,
                                         const Transform& aFromB, Touching touching, VectorUse vectorUse,
                                         WideScratch& scratch) {
  const WideHistory& history = scratch.data().history;
  if (!history.witness || history.treeA != WideIdentity::of(treeOfA, a) ||
      history.treeB != WideIdentity::of(treeOfB, b))
    return std::nullopt;
  const WideHistory::Witness& witness = *history.witness;
  const TriangleBatch& batch = scratch.data().batch;
  const auto leastExtent = vectorUse == VectorUse::best
                               ? vectorTriangleExtent(witness.reachA, witness.reachB, aFromB)
                               : std::nullopt;
  if (leastExtent) {
    const WideDecided decided = HWY_DYNAMIC_DISPATCH(decideBatch)(batch, aFromB, *leastExtent);
    const std::uint32_t asked = (1U << witness.inBatch) - 1;
    if (const std::uint32_t hits = decided.hits & asked; hits != 0) {
      const auto k = static_cast<std::size_t>(std::countr_zero(hits));
      return WideWitness{{decodeTriangleId(batch.a[9][k]), decodeTriangleId(batch.b[9][k])}, witness.inBatch};
    }
    if ((asked & ~decided.misses) == 0) return std::nullopt;
  }
  Triangle placed = b.triangle(witness.triangles.b);
  for (Vec3& v : placed.v) v = aFromB.apply(v);
  if (!TriangleTester(placed, touching).intersects(a.triangle(witness.triangles.a))) return std::nullopt;
  return WideWitness{witness.triangles, witness.inBatch};
}

bool hasWitness(WideScratch& scratch) { return scratch.data().history.witness.has_value(); }
void requestSafeSteps(WideScratch& scratch, const std::optional<MotionRate>& pace) {
  WideHistory& history = scratch.data().history;
  // A query may be answered without a traversal.
  history.apart = {};
  history.pace = pace;
}
SafeSteps safeSteps(WideScratch& scratch) { return scratch.data().history.apart; }

}  // namespace detail

void traverseWide(const TraversalTask& task, const WideBvh& treeOfA, const WideBvh& treeOfB,
                  WideScratch& scratch) {
  WideRun(task, treeOfA, treeOfB, scratch.data()).run();
}

}  // namespace fitup
