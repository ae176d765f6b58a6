#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/pair_placement.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup {

enum class QueryMode {
  firstSurfacePair,  ///< any one intersecting pair, not the nearest; empty exactly when all is empty
  allSurfacePairs,   ///< each intersecting pair of surfaces once; its search ends at the first triangle pair
  allTrianglePairs,  ///< every intersecting pair of triangles, and the pairs of surfaces they belong to
};

/// How S-CD uses the overlap box (OAABB).
enum class OverlapBoxSetting {
  on,         ///< figure 4 of the paper: only what meets the overlap box is carried into the other frame
  off,        ///< no filter: every triangle of B is carried to A once the parts' boxes overlap
  classical,  ///< figure 1: both trees descend together, B's box carried into A at every visit
};

/// Which form of the vectorised steps runs. Reports are the same.
enum class VectorUse {
  best,    ///< the widest that the processor has
  scalar,  ///< plain code: the twin that the vector form is tested against
};

std::string_view name(QueryMode mode) noexcept;
std::string_view name(OverlapBoxSetting setting) noexcept;

/// `a` is of the first model of a query, `b` of the second (inside a traversal: of the part that plays A and
/// B).
struct SurfacePair {
  SurfaceId a{}, b{};
  friend auto operator<=>(const SurfacePair&, const SurfacePair&) = default;
};
struct TrianglePair {
  TriangleId a{}, b{};
  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// Operation counts of a query (or a sum over queries).
struct QueryStats {
  std::uint64_t boxTests = 0;    ///< one box against one box is one test, vector lanes included
  std::uint64_t boxUpdates = 0;  ///< boxes computed in another frame: cover boxes and optimal triangle boxes
  std::uint64_t surfaceCandidates = 0;   ///< pairs of surfaces whose triangles were looked at
  std::uint64_t triangleCandidates = 0;  ///< pairs of triangles whose boxes overlap
  std::uint64_t triangleTests = 0;       ///< triangle-triangle tests run
  std::uint64_t exactTests = 0;  ///< of these, decided by exact arithmetic because the filter could not
  std::uint64_t overlapBoxRejected = 0;  ///< entries of B's trees that the overlap box cut off

  QueryStats& operator+=(const QueryStats& o) noexcept {
    boxTests += o.boxTests;
    boxUpdates += o.boxUpdates;
    surfaceCandidates += o.surfaceCandidates;
    triangleCandidates += o.triangleCandidates;
    triangleTests += o.triangleTests;
    exactTests += o.exactTests;
    overlapBoxRejected += o.overlapBoxRejected;
    return *this;
  }
  friend bool operator==(const QueryStats&, const QueryStats&) = default;
};

/// Decides when a traversal ends early; asked with every box or triangle test, looks at the clock and the
/// cancel handle now and then.
class StopCheck {
 public:
  enum class Reason { none, limit, cancelled };

  StopCheck() = default;
  StopCheck(std::optional<std::chrono::steady_clock::time_point> deadline, std::stop_token cancel)
      : deadline_(deadline), cancel_(std::move(cancel)), watching_(deadline_ || cancel_.stop_possible()) {}

  [[nodiscard]] bool stop() noexcept {
    if (!watching_ || (++asked_ & 127U) != 1) return reason_ != Reason::none;
    if (cancel_.stop_requested())
      reason_ = Reason::cancelled;
    else if (deadline_ && std::chrono::steady_clock::now() >= *deadline_)
      reason_ = Reason::limit;
    return reason_ != Reason::none;
  }
  void stopForLimit() noexcept { reason_ = Reason::limit; }
  [[nodiscard]] Reason reason() const noexcept { return reason_; }

 private:
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::stop_token cancel_;
  bool watching_ = false;
  std::uint32_t asked_ = 0;
  Reason reason_ = Reason::none;
};

/// What every traversal is given: two meshes, how B is placed in A, what is asked; and where it puts its
/// answer.
struct TraversalTask {
  const TriangleMesh& a;
  const TriangleMesh& b;
  const PairPlacement& placement;
  QueryMode mode = QueryMode::allTrianglePairs;
  Touching touching = Touching::include;
  OverlapBoxSetting overlapBox = OverlapBoxSetting::on;
  VectorUse vectorUse = VectorUse::best;
  std::size_t maxPairs = std::numeric_limits<std::size_t>::max();

  StopCheck& stop;
  QueryStats& stats;
  /// Every pair, or one witness a pair of surfaces, or a single one, by mode. In any order.
  std::vector<TrianglePair>& found;

  /// Adds a pair; true if the traversal must end: the first was found, or the limit is reached and there is
  /// one more.
  bool add(TriangleId triangleA, TriangleId triangleB) const {
    if (found.size() >= maxPairs) {
      stop.stopForLimit();
      return true;
    }
    found.push_back({triangleA, triangleB});
    return mode == QueryMode::firstSurfacePair;
  }
};

}  // namespace fitup
