#include <fitup/query/reproduction.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/mesh/triangle_subset.h>

namespace fitup {
namespace {

using Triangles = std::vector<TriangleId>;

Triangles allOf(const TriangleMesh& mesh) {
  Triangles all;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) all.push_back(TriangleId{i});
  return all;
}

/// One part while it is being reduced.
struct Side {
  const PosedModel& whole;
  Triangles kept;
  std::shared_ptr<const CollisionModel> model;

  explicit Side(const PosedModel& posed) : whole(posed), kept(allOf(posed.model->mesh())) {
    model = built(kept);
  }
  [[nodiscard]] std::shared_ptr<const CollisionModel> built(const Triangles& triangles) const {
    BuildOptions options;
    if (!whole.model->hasWide()) options.wide.reset();
    for (const HierarchyKind kind : whole.model->kinds()) options.add(kind);
    return CollisionModel::build(
        std::make_shared<const TriangleMesh>(triangleSubset(whole.model->mesh(), triangles)), options);
  }
};

class Reducer {
 public:
  Reducer(const PosedModel& first, const PosedModel& second, const PairCheck& check, const Progress& progress,
          std::size_t mostChecks)
      : sides_{Side(first), Side(second)}, check_(check), progress_(progress), mostChecks_(mostChecks) {}

  Reproduction run(const Discrepancy& known) {
    if (auto whole = ask(*sides_[0].model, *sides_[1].model)) {
      discrepancy_ = std::move(*whole);
    } else {
      Reproduction result = finished(known);
      result.comesBack = false;
      return result;
    }
    tryKnown(known);
    for (bool smaller = true; smaller && !ended();) {
      smaller = false;
      for (std::size_t side : {0, 1}) smaller = reduce(side) || smaller;
    }
    return finished(discrepancy_);
  }

 private:
  [[nodiscard]] bool ended() const { return checks_ >= mostChecks_ || progress_.cancelled(); }

  /// Checks a subset. A subset that cannot be checked shows nothing.
  std::optional<Discrepancy> ask(const CollisionModel& first, const CollisionModel& second) {
    ++checks_;
    progress_.report("looking for the smallest reproduction",
                     static_cast<double>(checks_) / static_cast<double>(mostChecks_));
    try {
      return check_({borrowed(first), sides_[0].whole.worldFromPart},
                    {borrowed(second), sides_[1].whole.worldFromPart});
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  /// Keeps the subset if it still shows the discrepancy.
  bool take(std::size_t side, Triangles kept) {
    if (ended()) return false;
    auto model = sides_[side].built(kept);
    const CollisionModel& other = *sides_[1 - side].model;
    auto found = side == 0 ? ask(*model, other) : ask(other, *model);
    if (!found) return false;
    discrepancy_ = std::move(*found);
    sides_[side].kept = std::move(kept);
    sides_[side].model = std::move(model);
    return true;
  }

  /// The triangles that the discrepancy names are often sufficient.
  void tryKnown(const Discrepancy& known) {
    if (known.triangles.empty()) return;
    const TrianglePair& pair = known.triangles.front();
    const std::size_t counts[2] = {sides_[0].kept.size(), sides_[1].kept.size()};
    if (index(pair.a) < counts[0]) take(0, {pair.a});
    if (index(pair.b) < counts[1]) take(1, {pair.b});
  }

  /// Runs ddmin on one part. Returns true if it got smaller.
  bool reduce(std::size_t side) {
    const std::size_t before = sides_[side].kept.size();
    std::size_t pieces = 2;
    while (sides_[side].kept.size() > 1 && !ended()) {
      const Triangles kept = sides_[side].kept;
      pieces = std::min(pieces, kept.size());
      bool taken = false;
      for (int complement = 0; complement < (pieces > 2 ? 2 : 1) && !taken; ++complement)
        for (std::size_t k = 0; k < pieces && !taken && !ended(); ++k) {
          const auto begin = kept.begin() + static_cast<std::ptrdiff_t>(kept.size() * k / pieces),
                     end = kept.begin() + static_cast<std::ptrdiff_t>(kept.size() * (k + 1) / pieces);
          Triangles part(begin, end);
          if (complement == 1) {
            part.assign(kept.begin(), begin);
            part.insert(part.end(), end, kept.end());
          }
          taken = take(side, std::move(part));
          if (taken) pieces = complement == 1 ? std::max<std::size_t>(pieces - 1, 2) : 2;
        }
      if (!taken && pieces >= kept.size()) break;
      if (!taken) pieces *= 2;
    }
    return sides_[side].kept.size() < before;
  }

  Reproduction finished(Discrepancy discrepancy) {
    Reproduction result;
    result.first = sides_[0].model->sharedMesh();
    result.second = sides_[1].model->sharedMesh();
    result.worldFromFirst = sides_[0].whole.worldFromPart;
    result.worldFromSecond = sides_[1].whole.worldFromPart;
    result.discrepancy = std::move(discrepancy);
    result.checks = checks_;
    if (ended()) result.status = progress_.cancelled() ? ReportStatus::cancelled : ReportStatus::truncated;
    return result;
  }

  Side sides_[2];
  const PairCheck& check_;
  const Progress& progress_;
  std::size_t mostChecks_, checks_ = 0;
  Discrepancy discrepancy_;
};

}  // namespace

Reproduction smallestReproduction(const PosedModel& first, const PosedModel& second, const PairCheck& check,
                                  const Discrepancy& known, const Progress& progress,
                                  std::size_t mostChecks) {
  return Reducer(first, second, check, progress, mostChecks).run(known);
}

}  // namespace fitup
