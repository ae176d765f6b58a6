#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/query/nearness.h>
#include <fitup/query/resolved_verdict.h>

namespace fitup::detail {

/// One part, as finely as it is divided.
struct FinerPart {
  PosedSolid posed;
  bool isFirst;
  std::unique_ptr<ChordErrors> errors{};
  std::set<SurfaceId> exactly{};  ///< faces for which the exact shape was asked
  /// And to which chord error at last.
  double askedFor = std::numeric_limits<double>::infinity();
  /// Triangles that were to be divided, by their corners, and to which chord error. `refinedLocally` keeps
  /// the numbers of points, so those that are still there could not be divided.
  std::map<TriangleIndices, double> triedTo{};

  void take(std::shared_ptr<const SolidModel> solid) {
    errors.reset();
    posed.solid = std::move(solid);
  }
  ChordErrors& chordErrors() {
    if (!errors) errors = std::make_unique<ChordErrors>(posed.solid->mesh(), posed.solid->topology());
    return *errors;
  }
  /// The corners of a triangle, each point once.
  [[nodiscard]] TriangleIndices cornersOf(TriangleId id) const {
    TriangleIndices corners = posed.solid->mesh().triangles()[index(id)];
    for (std::uint32_t& corner : corners) corner = posed.solid->topology().welded(corner);
    std::ranges::sort(corners);
    return corners;
  }
  [[nodiscard]] double stretch() const;
  [[nodiscard]] double largestError() const { return largestChordError(posed.posed()); }
};

/// Makes two parts finer where they are near each other. Deterministic: what it makes depends on the parts
/// and the calls. Keeps a reference to `finer`.
class PairRefiner {
 public:
  PairRefiner(const PosedSolid& first, const PosedSolid& second, const FinerShapes& finer,
              const QueryLimits& limits)
      : a{first, true}, b{second, false}, finer_(finer), limits_(limits), progress_(limits.cancel) {}

  /// The triangles whose exact counterparts may be within a distance; empty if a limit ended the search,
  /// which `status` then says.
  std::optional<NearTriangles> near(double within, ReportStatus& status);
  /// Divides the near triangles in steps until their chord errors are at most `goal`, or nothing more is
  /// possible. `near` becomes those of `within` after it, as above. Returns true if a part was made finer.
  /// Errors of the refinement end it and are left in `problem`.
  bool refine(std::optional<NearTriangles>& near, double within, double goal, ReportStatus& status);
  /// If off, only closed forms are used, which takes little time.
  bool usesExactShapes = true;
  /// Why refining failed, if it did.
  std::string problem;
  /// By how much the points of the file are off its surfaces.
  double offCorners(const NearTriangles& near) {
    return std::max(offCorners(a, near.a), offCorners(b, near.b));
  }
  [[nodiscard]] double largestError() const { return a.largestError() + b.largestError(); }

  FinerPart a, b;

 private:
  bool divide(const NearTriangles& near, double goal);
  bool divide(FinerPart& side, const std::vector<TriangleId>& near, double error, double target);
  static std::set<SurfaceId> facesToAskFor(FinerPart& side, const std::vector<TriangleId>& triangles,
                                           double target, bool all);
  bool askFor(FinerPart& side, const std::set<SurfaceId>& faces, double target) const;
  static double offCorners(FinerPart& side, const std::vector<TriangleId>& triangles);

  const FinerShapes& finer_;
  QueryLimits limits_;
  Progress progress_;
};

}  // namespace fitup::detail
