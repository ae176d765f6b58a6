#include <fitup/planning/detail/covered_cells.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/base/work_meter.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/distance_segment_segment.h>
#include <fitup/geometry/segment_crossing.h>
#include <fitup/hierarchy/solid_model.h>

namespace fitup::detail {
namespace {

/// Cubes of this size are the tasks of threads.
constexpr std::int32_t coverTaskSize = 32;
constexpr double longestCellLattice = 1 << 20;
/// Spans of time in which a point moves by less than this share of a cube's radius before a part are not
/// halved. Smaller: more looks, and cells are covered that a part hardly covers.
constexpr double shortestSpan = 0.5;
/// The same for spans in which a part does not cover the cube. Smaller: longer lists.
constexpr double longestSpan = 2;
/// Pieces whose sag is above this share of a cube's radius are halved.
constexpr double largestSagShare = 0.1;
/// Times that are looked at for one cube. More: cells that no time covers take longer.
constexpr int mostLooks = 192;

/// A span of time in which a part may come to a cube: shares of the segment of a piece.
struct PoseSpan {
  std::uint32_t piece = 0;
  double from = 0, to = 1;
  double high = 0;  ///< upper bound on how deep the centre of the cube comes to lie in the part; < 0: outside
};

struct CoverCube {
  LatticePoint first{};
  std::int32_t size = 0;
  Vec3 centre;
  std::vector<PoseSpan> spans;
};

enum class CoverState { covered, outside, open };

/// Whether spans are looked at in which a part cannot cover a cube, to leave out those in which it does not
/// come to it.
enum class Thorough { no, yes };

/// Finds out whether curves that deviate from a segment pass through a part of a surface, whatever triangle
/// it is. Holds scratch memory.
class Crossings {
 public:
  /// True if all curves that deviate by less than `beside` from a segment, at equal parameters, certainly
  /// pass through the boundary of a part.
  ///
  /// Let a patch be any triangles of the boundary. Its border are the edges that it uses more often in one
  /// direction than in the other. Moving the segment to such a curve moves neither its ends into the patch
  /// nor itself across the border if these are farther than `beside` from each other. So the number of
  /// crossings, with regard to their sense, does not change. It is not 0 for the segment. Here, a patch is
  /// what connects by edges among the triangles that are near to the segment.
  bool pass(PointQuery& boundary, const Vec3& a, const Vec3& b, double beside) {
    // The segment may be moved by this, off edges that it meets.
    const double off = 0x1p-8 * beside, far = beside + 2 * off;
    if (!boundary.nearSegment(a, b, far, mostTriangles, near_) || near_.empty()) return false;
    collectEdges(boundary.mesh());
    group();
    for (std::size_t g = 0; g < near_.size(); ++g)
      if (groups_[g] == g && passesGroup(boundary.mesh(), g, a, b, off, far)) return true;
    return false;
  }

 private:
  static constexpr std::size_t mostTriangles = 64;

  struct Edge {
    std::array<float, 6> ends{};  ///< the lesser end first
    int sense = 0;
    std::size_t triangle = 0;  ///< of `near_`
  };

  void collectEdges(const TriangleMesh& mesh) {
    edges_.clear();
    for (std::size_t i = 0; i < near_.size(); ++i) {
      const TriangleIndices& t = mesh.triangles()[index(near_[i].triangle)];
      for (std::size_t k = 0; k < 3; ++k) {
        const Point3f &p = mesh.points()[t[k]], &q = mesh.points()[t[(k + 1) % 3]];
        const std::array<float, 3> from{p.x, p.y, p.z}, to{q.x, q.y, q.z};
        const bool isForward = from < to;
        const auto &low = isForward ? from : to, &high = isForward ? to : from;
        edges_.push_back({{low[0], low[1], low[2], high[0], high[1], high[2]}, isForward ? 1 : -1, i});
      }
    }
    std::ranges::stable_sort(edges_, {}, &Edge::ends);
  }

  std::size_t groupOf(std::size_t i) {
    while (groups_[i] != i) i = groups_[i] = groups_[groups_[i]];
    return i;
  }

  void group() {
    groups_.resize(near_.size());
    for (std::size_t i = 0; i < groups_.size(); ++i) groups_[i] = i;
    for (std::size_t e = 1; e < edges_.size(); ++e)
      if (edges_[e].ends == edges_[e - 1].ends)
        groups_[groupOf(edges_[e].triangle)] = groupOf(edges_[e - 1].triangle);
    for (std::size_t i = 0; i < groups_.size(); ++i) groups_[i] = groupOf(i);
  }

  bool passesGroup(const TriangleMesh& mesh, std::size_t g, const Vec3& a, const Vec3& b, double off,
                   double far) {
    for (std::size_t i = 0; i < near_.size(); ++i) {
      if (groups_[i] != g) continue;
      const Triangle t = mesh.triangle(near_[i].triangle);
      for (const Vec3& end : {a, b})
        if (!(distancePointTriangle(end, t).distance > far)) return false;
    }
    for (std::size_t e = 0; e < edges_.size();) {
      int excess = 0;
      std::size_t next = e;
      for (; next < edges_.size() && edges_[next].ends == edges_[e].ends; ++next)
        excess += edges_[next].sense;
      const auto& p = edges_[e].ends;
      if (groups_[edges_[e].triangle] == g && excess != 0 &&
          !(distanceSegmentSegment(a, b, {p[0], p[1], p[2]}, {p[3], p[4], p[5]}).distance > far))
        return false;
      e = next;
    }
    for (const Vec3& by : {Vec3{}, Vec3{off, 0.3 * off, 0.1 * off}, Vec3{-0.2 * off, off, -0.4 * off}}) {
      const std::optional<int> crossings = crossingsOf(mesh, g, a + by, b + by);
      if (crossings) return *crossings != 0;
    }
    return false;
  }

  /// Nothing if the segment meets an edge.
  std::optional<int> crossingsOf(const TriangleMesh& mesh, std::size_t g, const Vec3& a, const Vec3& b) {
    int crossings = 0;
    for (std::size_t i = 0; i < near_.size(); ++i) {
      if (groups_[i] != g) continue;
      switch (crossSegmentTriangle(a, b, mesh.triangle(near_[i].triangle))) {
        case SegmentCrossing::none:
          break;
        case SegmentCrossing::out:
          ++crossings;
          break;
        case SegmentCrossing::in:
          --crossings;
          break;
        case SegmentCrossing::startsOn:
        case SegmentCrossing::degenerate:
          return {};
      }
    }
    return crossings;
  }

  std::vector<ClosestToSegment> near_;
  std::vector<Edge> edges_;
  std::vector<std::size_t> groups_;  ///< by triangle of `near_`: one of its group
};

/// Looks for times at which parts cover cubes, on one thread.
class CoverSearch {
 public:
  CoverSearch(const SweptMotion& motion, const OutsideBalls& balls)
      : motion_(&motion), below_(balls), solids_(motion.bodies.size()) {
    for (std::size_t b = 0; b < motion.bodies.size(); ++b) {
      const SweptBody& body = motion.bodies[b];
      if (!body.solid) continue;
      const Vec3 origin = body.model->mesh().origin();
      const CollisionModel& outer = body.solid->outer();
      solids_[b].emplace(Solid{PointQuery(outer), origin - outer.mesh().origin(),
                               PointQuery(body.solid->model()), origin - body.solid->mesh().origin(),
                               &body.solid->watertightness()});
    }
  }

  /// Looks at a cube around `x` with spans that are known for a cube around `from`. `kept` receives those in
  /// which a part may come to it, unless it is covered.
  CoverState look(const WorldCube& cube, const Vec3& from, std::span<const PoseSpan> spans, Thorough thorough,
                  std::vector<PoseSpan>& kept) {
    const Vec3& x = cube.centre;
    const double radius = cube.radius(), shift = norm(x - from) * (1 + 0x1p-30);
    kept.clear();
    stack_.clear();
    crossed_.reset();
    // The most promising ones are last.
    for (auto i = spans.rbegin(); i != spans.rend(); ++i) {
      stack_.push_back(*i);
      stack_.back().high += shift;
    }
    for (int looks = 0; !stack_.empty();) {
      const PoseSpan span = stack_.back();
      stack_.pop_back();
      if (isAway(span, radius)) continue;
      if ((thorough == Thorough::no && span.high < needOf(radius)) || looks == mostLooks) {
        kept.push_back(span);
        continue;
      }
      const SweptPiece& piece = motion_->pieces[span.piece];
      if (piece.firstHalf != SweptPiece::none && piece.sagOf(x) > largestSagShare * radius) {
        pushHalves(span);
        continue;
      }
      ++looks;
      if (lookAt(x, radius, span, kept)) return CoverState::covered;
    }
    std::ranges::stable_sort(kept, [](const PoseSpan& a, const PoseSpan& b) { return a.high > b.high; });
    return kept.empty() ? CoverState::outside : CoverState::open;
  }

  /// How deep the centre of a cube lies in what is swept, about. No part covers a cube at a time that is less
  /// deep than its radius, and one that is less deep than its half edge has points that are not swept. Looks
  /// can be saved there: a cube may count as not covered at any time.
  double depthOf(const WorldCube& cube) {
    ++queries_;
    return below_.about(cube.centre, 2 * cube.radius());
  }

  /// False if no span that is known for a cube around `from` comes to another one.
  [[nodiscard]] bool mayMeet(const WorldCube& cube, const Vec3& from,
                             std::span<const PoseSpan> spans) const noexcept {
    const double shift = norm(cube.centre - from) * (1 + 0x1p-30);
    return std::ranges::any_of(
        spans, [&](const PoseSpan& span) { return span.high + shift >= -needOf(cube.radius()); });
  }

  [[nodiscard]] std::size_t queries() const noexcept { return queries_; }

 private:
  /// Bodies that are not closed have none.
  struct Solid {
    PointQuery onBoundary;
    Vec3 toBoundary;  ///< from the local coordinates of the body
    PointQuery inside;
    Vec3 toInside;
    const Watertightness* watertightness;

    bool contains(const Vec3& local) {
      return inside.side(local + toInside, *watertightness) == PointSide::inside;
    }
  };

  [[nodiscard]] double needOf(double radius) const noexcept {
    return (radius + motion_->rounding) * (1 + 0x1p-30);
  }
  [[nodiscard]] bool isAway(const PoseSpan& span, double radius) const noexcept {
    return span.high < -needOf(radius);
  }

  /// Only whole pieces have halves of their own.
  void pushHalves(const PoseSpan& span) {
    const SweptPiece& piece = motion_->pieces[span.piece];
    if (piece.firstHalf != SweptPiece::none) {
      for (const std::uint32_t k : {1U, 0U}) stack_.push_back({piece.firstHalf + k, 0, 1, span.high});
      return;
    }
    const double middle = 0.5 * (span.from + span.to);
    stack_.push_back({span.piece, middle, span.to, span.high});
    stack_.push_back({span.piece, span.from, middle, span.high});
  }

  /// Looks at the middle of a span. Returns true if the ball around x is swept; otherwise keeps the span or
  /// pushes its halves, or neither if the part does not come to the ball.
  bool lookAt(const Vec3& x, double radius, PoseSpan span, std::vector<PoseSpan>& kept) {
    const SweptPiece& piece = motion_->pieces[span.piece];
    if (!solids_[piece.body]) return false;
    Solid& solid = *solids_[piece.body];
    const double sag = piece.sagOf(x), need = needOf(radius) + sag;
    const Vec3 first = piece.localFromWorldAtFrom.apply(x), last = piece.localFromWorldAtTo.apply(x);
    const Vec3 a = first + (last - first) * span.from, b = first + (last - first) * span.to;
    const Vec3 middle = 0.5 * (a + b);
    const double half = 0.5 * norm(b - a) * (1 + 0x1p-30);
    // What is farther from the middle of the span comes nowhere near the ball.
    const double beyond = (half + need + sag) * (1 + 0x1p-20);
    ++queries_;
    const std::optional<ClosestPoint> nearest = solid.onBoundary.closest(middle + solid.toBoundary, beyond);
    const double d = nearest ? nearest->distance : beyond;
    double high = d + half + sag;
    if (d >= need) {
      if (solid.contains(middle)) return true;
      high = half + sag - d;
    } else if (nearest) {
      const Triangle t = solid.onBoundary.mesh().triangle(nearest->triangle);
      // The distance from a triangle is convex.
      high = std::min(high, std::max(distancePointTriangle(a + solid.toBoundary, t).distance,
                                     distancePointTriangle(b + solid.toBoundary, t).distance) +
                                sag);
      // Shorter segments have an end near to what they cross.
      if (span.piece != crossed_ && norm(last - first) > 2 * need) {
        crossed_ = span.piece;
        if (crossings_.pass(solid.onBoundary, first + solid.toBoundary, last + solid.toBoundary, need))
          return true;
      }
    }
    span.high = std::min(span.high, high);
    if (isAway(span, radius)) return false;
    if (half > (span.high >= need ? shortestSpan : longestSpan) * radius)
      pushHalves(span);
    else
      kept.push_back(span);
    return false;
  }

  const SweptMotion* motion_;
  DepthBelow below_;
  std::vector<std::optional<Solid>> solids_;
  std::vector<PoseSpan> stack_;
  Crossings crossings_;
  std::optional<std::uint32_t> crossed_{};  ///< the last piece that was tried for its crossings
  std::size_t queries_ = 0;
};

/// Divides cubes into cells, on one thread.
class CoverMaker {
 public:
  CoverMaker(const SweptMotion& motion, const FieldGrid& grid, double margin, int halvings,
             const OutsideBalls& balls)
      : grid_(grid),
        margin_(margin),
        halvings_(halvings),
        search_(motion, balls),
        lists_(static_cast<std::size_t>(halvings) + 1) {}

  /// Divides a cube that is larger than a block.
  void divide(const CoverCube& cube, std::vector<CoverCube>& into, CoveredCells& cells) {
    const std::int32_t half = cube.size / 2;
    for (unsigned k = 0; k < 8; ++k) {
      CoverCube part{childOf(cube.first, half, k), half, {}, {}};
      part.centre = centreOf(grid_, part.first, half);
      switch (
          search_.look(worldCube(part.centre, half), cube.centre, cube.spans, Thorough::yes, part.spans)) {
        case CoverState::outside:
          break;
        case CoverState::covered:
          cells.inside.push_back({part.first, half});
          break;
        case CoverState::open:
          into.push_back(std::move(part));
          break;
      }
    }
  }

  /// Divides a cube down to cells.
  void finish(const CoverCube& cube, CoveredCells& cells) {
    if (cube.size == CellBlock::size) {
      CellBlock& block = cells.blocks.emplace_back();
      block.first = cube.first;
      fill(cube, block);
      return;
    }
    std::vector<CoverCube> parts;
    divide(cube, parts, cells);
    for (const CoverCube& part : parts) finish(part, cells);
  }

  [[nodiscard]] std::size_t queries() const noexcept { return search_.queries(); }

 private:
  static LatticePoint childOf(const LatticePoint& first, std::int32_t half, unsigned k) {
    return {first[0] + ((k & 4) != 0 ? half : 0), first[1] + ((k & 2) != 0 ? half : 0),
            first[2] + ((k & 1) != 0 ? half : 0)};
  }

  [[nodiscard]] WorldCube worldCube(const Vec3& centre, double size) const {
    return {centre, 0.5 * size * grid_.voxel + margin_};
  }

  void fill(const CoverCube& cube, CellBlock& block) {
    const std::int32_t half = cube.size / 2;
    for (unsigned k = 0; k < 8; ++k) {
      CoverCube part{childOf(cube.first, half, k), half, {}, {}};
      part.centre = centreOf(grid_, part.first, half);
      const WorldCube own = worldCube(part.centre, half);
      if (half == 1) {
        if (!search_.mayMeet(own, cube.centre, cube.spans))
          setAll(part, block.outside, block);
        else if (isCovered(own, cube.centre, cube.spans, halvings_))
          setAll(part, block.covered, block);
        continue;
      }
      switch (search_.look(own, cube.centre, cube.spans, Thorough::yes, part.spans)) {
        case CoverState::outside:
          setAll(part, block.outside, block);
          break;
        case CoverState::covered:
          setAll(part, block.covered, block);
          break;
        case CoverState::open:
          fill(part, block);
          break;
      }
    }
  }

  /// True if a cube, or all of its eighths, and so on, are covered. `spans` are known for a cube around
  /// `from`.
  bool isCovered(const WorldCube& cube, const Vec3& from, const std::vector<PoseSpan>& spans, int halvings) {
    const double depth = search_.depthOf(cube);
    if (depth < cube.half) return false;
    std::vector<PoseSpan>& own = lists_[static_cast<std::size_t>(halvings)];
    const bool mayBeCovered = depth >= cube.radius();
    if (mayBeCovered) {
      const CoverState state = search_.look(cube, from, spans, Thorough::no, own);
      if (state != CoverState::open) return state == CoverState::covered;
    }
    if (halvings == 0) return false;
    const double half = 0.5 * (cube.half - margin_);
    for (std::size_t k = 0; k < 8; ++k)
      if (!isCovered({WorldCube{cube.centre, half}.corner(k), half + margin_},
                     mayBeCovered ? cube.centre : from, mayBeCovered ? own : spans, halvings - 1))
        return false;
    return true;
  }

  static void setAll(const CoverCube& cube, std::bitset<512>& bits, const CellBlock& block) {
    for (std::int32_t x = 0; x < cube.size; ++x)
      for (std::int32_t y = 0; y < cube.size; ++y)
        for (std::int32_t z = 0; z < cube.size; ++z)
          bits.set(CellBlock::at(cube.first[0] - block.first[0] + x, cube.first[1] - block.first[1] + y,
                                 cube.first[2] - block.first[2] + z));
  }

  FieldGrid grid_;
  double margin_;
  int halvings_;
  CoverSearch search_;
  std::vector<std::vector<PoseSpan>> lists_;  ///< by the halvings that are left
};

void appendCells(CoveredCells& all, CoveredCells&& more) {
  std::ranges::move(more.blocks, std::back_inserter(all.blocks));
  all.inside.insert(all.inside.end(), more.inside.begin(), more.inside.end());
}

}  // namespace

DepthBelow::DepthBelow(const OutsideBalls& balls) : balls_(&balls), query_(*balls.surface) {
  if (!balls.radii.empty()) largestRadius_ = *std::ranges::max_element(balls.radii);
}

double DepthBelow::most(const Vec3& x) {
  const TriangleMesh& mesh = query_.mesh();
  const auto nearest = query_.closest(x - mesh.origin(), std::numeric_limits<double>::infinity(), hint_);
  double least = std::numeric_limits<double>::infinity();
  if (!nearest) return least;
  hint_ = nearest->triangle;
  for (const std::uint32_t i : mesh.triangles()[index(nearest->triangle)])
    least = std::min(least, std::max(norm(x - mesh.pointInPart(i)) - balls_->radii[i], 0.0));
  return least * (1 + 0x1p-30);
}

double DepthBelow::about(const Vec3& x, double upTo) {
  const TriangleMesh& mesh = query_.mesh();
  const Vec3 local = x - mesh.origin();
  const auto nearest = query_.closest(local, upTo + largestRadius_, hint_);
  if (!nearest) return upTo;
  hint_ = nearest->triangle;
  const Triangle t = mesh.triangle(nearest->triangle);
  const TriangleIndices& corners = mesh.triangles()[index(nearest->triangle)];
  // The radius at the nearest point, by its barycentric coordinates.
  const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
  const double square = dot(n, n);
  double radius = 0;
  if (square > 0)
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 &p = t.v[(i + 1) % 3], &q = t.v[(i + 2) % 3];
      radius += dot(n, cross(q - p, nearest->point - p)) / square * balls_->radii[corners[i]];
    }
  return std::min(nearest->distance - radius, upTo);
}

CoveredCells findCoveredCells(const SweptMotion& motion, const FieldGrid& grid, double margin, int halvings,
                              const OutsideBalls& balls, unsigned threads, const Progress& progress) {
  CoveredCells all;
  LatticePoint low{};
  double longest = 0;
  for (int k = 0; k < 3; ++k) {
    const double from = std::floor((motion.box.min[k] - grid.origin[k]) / grid.voxel) - 1;
    const double to = std::ceil((motion.box.max[k] - grid.origin[k]) / grid.voxel) + 1;
    longest = std::max({longest, to - from, std::abs(from), std::abs(to)});
    if (!(longest < longestCellLattice))
      throw InputError("swept volume", "accuracy", "is too small for the size of the motion");
    low[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(from);
  }
  all.size = coverTaskSize;
  while (all.size < longest + CellBlock::size) all.size *= 2;
  for (std::size_t k = 0; k < 3; ++k) all.corner[k] = (low[k] >= 0 ? low[k] / 8 : -((7 - low[k]) / 8)) * 8;
  CoverCube root{all.corner, all.size, centreOf(grid, all.corner, all.size), {}};
  for (std::uint32_t b = 0; b < motion.bodies.size(); ++b)
    if (motion.bodies[b].solid) root.spans.push_back({b, 0, 1, std::numeric_limits<double>::infinity()});
  if (root.spans.empty()) return all;

  const unsigned workers = workerCount(threads, 1U << 20);
  std::vector<CoverMaker> makers;
  for (unsigned i = 0; i < workers; ++i) makers.emplace_back(motion, grid, margin, halvings, balls);
  std::vector<CoverCube> cubes{std::move(root)};
  const WorkMeter searching(progress);
  while (!cubes.empty() && cubes.front().size > coverTaskSize) {
    std::vector<std::vector<CoverCube>> next(cubes.size());
    std::vector<CoveredCells> found(cubes.size());
    parallelFor(cubes.size(), threads, [&](std::size_t i, unsigned worker) {
      searching.poll();
      makers[worker].divide(cubes[i], next[i], found[i]);
    });
    cubes.clear();
    for (std::size_t i = 0; i < next.size(); ++i) {
      std::ranges::move(next[i], std::back_inserter(cubes));
      appendCells(all, std::move(found[i]));
    }
  }
  const WorkMeter meter(progress, "filling the inside", cubes.size());
  std::vector<CoveredCells> found(cubes.size());
  parallelFor(cubes.size(), threads, [&](std::size_t i, unsigned worker) {
    makers[worker].finish(cubes[i], found[i]);
    cubes[i].spans = {};
    meter.advance(1);
  });
  for (CoveredCells& cells : found) appendCells(all, std::move(cells));
  for (const CoverMaker& maker : makers) all.queries += maker.queries();
  return all;
}

}  // namespace fitup::detail
