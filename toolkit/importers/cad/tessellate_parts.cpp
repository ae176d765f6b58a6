#include "tessellate_parts.h"

#include <TopAbs_ShapeEnum.hxx>
#include <TopExp.hxx>
#include <TopoDS_TShape.hxx>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <fitup/base/disjoint_sets.h>

#include "exact_shape.h"

namespace fitup::importers {
namespace {

/// Puts parts that share faces or edges into one group; the groups with the most faces come first.
std::vector<std::vector<std::size_t>> groupsOf(const std::deque<PartShape>& parts) {
  DisjointSets sets(parts.size());
  std::unordered_map<const TopoDS_TShape*, std::uint32_t> userOf;
  for (std::uint32_t i = 0; i < parts.size(); ++i)
    for (const TopAbs_ShapeEnum type : {TopAbs_FACE, TopAbs_EDGE}) {
      TopTools_IndexedMapOfShape shapes;
      TopExp::MapShapes(parts[i].shape, type, shapes);
      for (int k = 1; k <= shapes.Extent(); ++k)
        sets.unite(userOf.emplace(shapes(k).TShape().get(), i).first->second, i);
    }
  std::map<std::uint32_t, std::vector<std::size_t>> bySet;
  for (std::uint32_t i = 0; i < parts.size(); ++i) bySet[sets.find(i)].push_back(i);
  std::vector<std::pair<int, std::vector<std::size_t>>> groups;
  for (auto& [first, members] : bySet) {
    int faces = 0;
    for (const std::size_t i : members) faces += parts[i].faces.Extent();
    groups.emplace_back(faces, std::move(members));
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::vector<std::size_t>> result;
  for (auto& [faces, members] : groups) result.push_back(std::move(members));
  return result;
}

/// The progress of all parts together, by their faces.
class PartsProgress {
 public:
  PartsProgress(const std::deque<PartShape>& parts, ProgressLines& lines)
      : lines_(lines), fractions_(parts.size()) {
    for (const PartShape& part : parts) {
      weights_.push_back(part.faces.Extent() + 1.0);
      whole_ += weights_.back();
    }
  }

  void moved(std::size_t part, double fraction) {
    const std::lock_guard lock(mutex_);
    if (fraction <= fractions_[part]) return;
    done_ += weights_[part] * (fraction - fractions_[part]);
    fractions_[part] = fraction;
    report();
  }
  void finished(std::size_t part) {
    moved(part, 1);
    const std::lock_guard lock(mutex_);
    if (++finished_ < weights_.size()) report();
  }

 private:
  void report() {
    lines_.report("tessellating part " + std::to_string(std::min(finished_ + 1, weights_.size())) + " of " +
                      std::to_string(weights_.size()),
                  std::min(done_ / whole_, 1.0));
  }

  ProgressLines& lines_;
  std::mutex mutex_;
  std::vector<double> weights_, fractions_;
  double whole_ = 0, done_ = 0;
  std::size_t finished_ = 0;
};

}  // namespace

std::vector<TessellatedPart> tessellateParts(const std::deque<PartShape>& parts, const CadOptions& options,
                                             EarlyTessellation* early, std::vector<ImportWarning>& warnings,
                                             ProgressLines& progress) {
  const unsigned threads = options.threads;
  struct Result {
    std::optional<TessellatedPart> made;
    std::vector<ImportWarning> warnings;
    std::exception_ptr failure;
  };
  std::vector<Result> results(parts.size());
  PartsProgress together(parts, progress);
  const auto makePart = [&](std::size_t i) {
    Result& result = results[i];
    try {
      together.moved(i, 0);
      const Deflection deflection = deflectionFor(parts[i].shape, options);
      const bool isEarly = early != nullptr && early->claim(parts[i], deflection);
      TriangleMesh mesh = tessellate(parts[i], deflection, isEarly, result.warnings,
                                     [&, i](double fraction) { together.moved(i, fraction); });
      result.made = TessellatedPart{std::move(mesh), exactShapeOf(parts[i])};
      together.finished(i);
    } catch (...) {
      result.failure = std::current_exception();
    }
  };

  const std::vector<std::vector<std::size_t>> groups = groupsOf(parts);
  std::atomic<std::size_t> next{0};
  // Open CASCADE's tasks for the faces of a part run in the same arena, so that threads without a part help
  // with them. They are isolated, because a thread that waits for faces would otherwise begin another part.
  std::optional<tbb::global_control> limit;
  if (threads > 0) limit.emplace(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(threads > 0 ? static_cast<int>(threads) : tbb::task_arena::automatic);
  arena.execute([&] {
    tbb::parallel_for(0, arena.max_concurrency(), [&](int) {
      for (std::size_t g = next++; g < groups.size(); g = next++)
        tbb::this_task_arena::isolate([&] {
          for (const std::size_t i : groups[g]) makePart(i);
        });
    });
  });

  std::vector<TessellatedPart> made;
  for (Result& result : results) {
    if (result.failure) std::rethrow_exception(result.failure);
    warnings.insert(warnings.end(), result.warnings.begin(), result.warnings.end());
    made.push_back(std::move(*result.made));
  }
  return made;
}

}  // namespace fitup::importers
