#include <fitup/query/way_out.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include <fitup/base/deadline.h>
#include <fitup/base/error.h>
#include <fitup/hierarchy/part_hull.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/query/detail/stretch.h>
#include <fitup/query/pair_frame.h>

namespace fitup {
namespace {

/// Number of face normals of each part that are tried, and of the largest whose cross products are.
constexpr std::size_t mostNormals = 12, mostCrossed = 5;
/// Number of wayOutFractions of a translation at which a free place is looked for.
constexpr int wayOutFractions = 12;
/// Number of points from which the eight corners of the box stand for a part without a hull.
constexpr std::size_t manyHullPoints = 100'000;

/// One of the two bodies.
class MovableBody {
 public:
  explicit MovableBody(const PosedSolid& posed) : posed_(posed), inside_(posed.solid->model()) {
    const TriangleMesh& mesh = posed.solid->mesh();
    const MeshTopology& topology = posed.solid->topology();
    // The first triangles of the components are those at which their number grows.
    std::uint32_t known = 0;
    for (std::uint32_t i = 0; i < mesh.triangleCount() && known < topology.componentCount(); ++i)
      if (topology.componentOf(TriangleId{i}) == known) {
        places_.push_back(mesh.triangle(TriangleId{i}).v[0]);
        ++known;
      }
    // Of all triangles of the part: some may not belong to the boundary of its material.
    const CollisionModel& part = *posed.solid->partModel();
    const PartHull& hull = part.hull();
    const Vec3 centre = part.box().centre;
    if (!hull.empty()) {
      for (std::uint32_t i = 0; i < hull.size(); ++i)
        corners_.push_back(posed.worldFromPart.apply(centre + hull.corner(i)));
      slack_ = hull.slack() * detail::stretchOf(posed.worldFromPart);
    } else if (part.mesh().points().size() <= manyHullPoints) {
      for (std::uint32_t i = 0; i < part.mesh().points().size(); ++i)
        corners_.push_back(posed.worldFromPart.apply(part.mesh().pointInPart(i)));
    } else {
      const Box box = part.mesh().boundsInPart();
      for (int k = 0; k < 8; ++k)
        corners_.push_back(posed.worldFromPart.apply(
            {(k & 1 ? box.max : box.min).x, (k & 2 ? box.max : box.min).y, (k & 4 ? box.max : box.min).z}));
    }
    for (const Vec3& p : corners_) slack_ += 0x1p-40 * norm(p) / static_cast<double>(corners_.size());
  }

  [[nodiscard]] const PosedSolid& posed() const noexcept { return posed_; }
  [[nodiscard]] Vec3 middle() const {
    const Box box = posed_.solid->mesh().boundsInPart();
    return posed_.worldFromPart.apply(box.centre());
  }
  /// How far the body reaches along a unit direction, from the world's origin.
  [[nodiscard]] double reach(const Vec3& direction) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const Vec3& p : corners_) most = std::max(most, dot(p, direction));
    return most + slack_;
  }
  /// True if a component of `other`, moved by `shift`, may be inside this body where no surfaces meet.
  [[nodiscard]] bool mayEnclose(const MovableBody& other, const Vec3& shift) {
    const Watertightness& watertightness = posed_.solid->watertightness();
    const Transform partFromWorld = posed_.worldFromPart.inverse();
    return std::any_of(other.places_.begin(), other.places_.end(), [&](const Vec3& place) {
      const Vec3 inPart = partFromWorld.apply(other.posed_.inWorld(place) + shift);
      return inside_.side(inPart - posed_.solid->mesh().origin(), watertightness) != PointSide::outside;
    });
  }

  /// Unit normals of faces and axes of cylinders in the world, those of the largest area first. One of two
  /// opposite ones.
  [[nodiscard]] std::vector<Vec3> normals() const {
    struct Sum {
      Vec3 normal;
      double area = 0;
    };
    std::map<std::array<int, 3>, Sum> sums;
    const auto add = [&](const Vec3& direction, double area) {
      const double length = norm(direction);
      if (!(length > 0 && std::isfinite(length))) return;
      Vec3 unit = direction * (1 / length);
      int first = 0;
      while (first < 2 && std::abs(unit[first]) < 1e-6) ++first;
      if (unit[first] < 0) unit = -unit;
      std::array<int, 3> key{};
      for (int k = 0; k < 3; ++k)
        key[static_cast<std::size_t>(k)] = static_cast<int>(std::lround(unit[k] * 128));
      Sum& sum = sums[key];
      if (sum.area == 0) sum.normal = unit;
      sum.area += area;
    };
    const TriangleMesh& mesh = posed_.solid->mesh();
    for (const Surface& surface : mesh.surfaces())
      if (surface.description)
        if (const auto shape = placed(*surface.description, posed_.worldFromPart))
          add(shape->axis, surface.fingerprint.area);
    // Some of the triangles of a fine mesh show its large faces.
    const std::size_t step = 1 + mesh.triangleCount() / manyHullPoints;
    for (std::size_t i = 0; i < mesh.triangleCount(); i += step) {
      const Triangle t = mesh.triangle(TriangleId{static_cast<std::uint32_t>(i)});
      const Vec3 normal = cross(posed_.worldFromPart.applyToVector(t.v[1] - t.v[0]),
                                posed_.worldFromPart.applyToVector(t.v[2] - t.v[0]));
      add(normal, 0.5 * norm(normal));
    }
    std::vector<Sum> sorted;
    for (const auto& [key, sum] : sums) sorted.push_back(sum);
    std::ranges::stable_sort(sorted, std::greater<>(), &Sum::area);
    std::vector<Vec3> result;
    for (std::size_t i = 0; i < std::min(sorted.size(), mostNormals); ++i) result.push_back(sorted[i].normal);
    return result;
  }

 private:
  PosedSolid posed_;
  PointQuery inside_;
  std::vector<Vec3> places_;   ///< a point of each component, local
  std::vector<Vec3> corners_;  ///< of a convex body around it, in the world
  double slack_ = 0;
};

/// Moves body a along directions until it is free of body b.
class WayOutSearch {
 public:
  WayOutSearch(const PosedSolid& a, const PosedSolid& b, const WayOutRequest& request, QueryContext& context)
      : request_(request), context_(context), a_(a), b_(b), deadline_(deadlineOf(request.limits.timeBudget)) {
    const std::size_t triangles =
        std::max<std::size_t>(1, a.solid->mesh().triangleCount() + b.solid->mesh().triangleCount());
    mostPoses_ = request.maxPoses.value_or(std::clamp<std::size_t>(200'000'000 / triangles, 400, 4000));
  }

  WayOut run(double sign) {
    if (isFree({}))
      result_.translation = Vec3{};
    else
      search(sign);
    return result_;
  }

 private:
  struct Way {
    Vec3 direction;
    double length;
  };

  void search(double sign) {
    std::vector<Way> ways;
    for (const Vec3& direction : directions(sign)) ways.push_back({direction, separationAlong(direction)});
    std::ranges::stable_sort(ways, {}, &Way::length);
    for (const Way& way : ways)
      if (isFree(way.direction * way.length)) {
        best_ = way;
        break;
      } else if (isOver()) {
        return;
      }
    if (!(best_.length < std::numeric_limits<double>::infinity())) return;
    for (const Way& way : ways) lookBefore(way);
    turn();
    shorten(best_.direction, best_.length * (1 - 1.0 / 128), best_.length, 0x1p-16);
    // Rounding must not decide, nor which of the two moves.
    for (double more = 0; more < 1e-3; more = more == 0 ? 0x1p-20 : 2 * more) {
      const Vec3 translation = best_.direction * (best_.length * (1 + more));
      if (!isFree(translation) || !isFreeIfOtherMoves(-translation)) continue;
      result_.translation = translation;
      return;
    }
  }

  /// Unit vectors along which to move `a`; `sign` is -1 if `a` is the second body.
  std::vector<Vec3> directions(double sign) const {
    std::vector<Vec3> axes;
    const auto add = [&](const Vec3& v) {
      const double length = norm(v);
      if (!(length > 1e-9 && std::isfinite(length))) return;
      const Vec3 unit = v * (1 / length);
      const bool isKnown = std::any_of(axes.begin(), axes.end(),
                                       [&](const Vec3& known) { return norm(cross(known, unit)) < 1e-6; });
      if (!isKnown) axes.push_back(unit);
    };
    for (const Vec3& direction : request_.directions) add(direction * (sign / norm(direction)));
    for (const MovableBody* body : {&a_, &b_})
      for (int k = 0; k < 3; ++k) {
        Vec3 axis;
        axis[k] = 1;
        add(body->posed().worldFromPart.applyToVector(axis));
      }
    add(a_.middle() - b_.middle());
    const std::vector<Vec3> ofA = a_.normals(), ofB = b_.normals();
    for (const auto* normals : {&ofA, &ofB})
      for (const Vec3& normal : *normals) add(normal);
    std::vector<Vec3> largest(ofA.begin(),
                              ofA.begin() + static_cast<std::ptrdiff_t>(std::min(ofA.size(), mostCrossed)));
    largest.insert(largest.end(), ofB.begin(),
                   ofB.begin() + static_cast<std::ptrdiff_t>(std::min(ofB.size(), mostCrossed)));
    for (std::size_t i = 0; i < largest.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) add(cross(largest[j], largest[i]));
    std::vector<Vec3> both;
    for (const Vec3& axis : axes) {
      both.push_back(axis);
      both.push_back(-axis);
    }
    return both;
  }

  /// The translation along a direction that separates the hulls.
  [[nodiscard]] double separationAlong(const Vec3& direction) const {
    const double length = b_.reach(direction) + a_.reach(-direction);
    return std::max(length, 0.0) * (1 + 0x1p-30);
  }

  /// Looks for a free place nearer than the best one and than where the hulls are apart.
  void lookBefore(const Way& way) {
    const double most = std::min(best_.length, way.length) * (1 - 1.0 / 1024);
    const double least = std::max(request_.atLeast, most / 1024);
    if (!(least < most)) return;
    double below = 0;
    for (int k = 0; k <= wayOutFractions && !isOver(); ++k) {
      const double length = least * std::pow(most / least, static_cast<double>(k) / wayOutFractions);
      if (!(length < best_.length)) return;
      if (isFree(way.direction * length)) return shorten(way.direction, below, length, 1.0 / 1024);
      below = length;
    }
  }

  /// Halves the stretch at whose end `a` is free until it is shorter than `accuracy` times the end; keeps the
  /// end if it is the best.
  void shorten(const Vec3& direction, double low, double high, double accuracy) {
    while (high - low > accuracy * high && !isOver()) {
      const double middle = 0.5 * (low + high);
      (isFree(direction * middle) ? high : low) = middle;
    }
    if (high < best_.length) best_ = {direction, high};
  }

  /// Turns the best direction in ever smaller steps as long as that makes it shorter.
  void turn() {
    constexpr int around = 8;
    for (double angle = 0.3; angle > 0.002; angle *= 0.4) {
      const double gain = std::min(1.0 / 128, 0.25 * angle);
      for (int k = 0, failed = 0; failed < around && !isOver(); ++k) {
        const auto [u, v] = orthonormalBasis(best_.direction);
        const double phi = 2 * std::numbers::pi * k / around;
        const Vec3 turned =
            normalized(best_.direction + (u * std::cos(phi) + v * std::sin(phi)) * std::tan(angle));
        const double length = best_.length * (1 - gain);
        if (separationAlong(turned) > length && !isFree(turned * length)) {
          ++failed;
          continue;
        }
        failed = 0;
        --k;  // once more the same way
        shorten(turned, 0.5 * length, std::min(length, separationAlong(turned)), 1.0 / 1024);
      }
    }
  }

  [[nodiscard]] bool isFree(const Vec3& shift) {
    PosedModel moved = a_.posed().posedPart();
    moved.worldFromPart.t = moved.worldFromPart.t + shift;
    return areApart(moved, b_.posed().posedPart()) && !b_.mayEnclose(a_, shift) && !a_.mayEnclose(b_, -shift);
  }
  [[nodiscard]] bool isFreeIfOtherMoves(const Vec3& shift) {
    PosedModel moved = b_.posed().posedPart();
    moved.worldFromPart.t = moved.worldFromPart.t + shift;
    return areApart(a_.posed().posedPart(), moved) && !a_.mayEnclose(b_, shift) && !b_.mayEnclose(a_, -shift);
  }
  [[nodiscard]] bool areApart(const PosedModel& a, const PosedModel& b) {
    ++result_.poses;
    IntersectionRequest any;
    any.mode = QueryMode::firstSurfacePair;
    any.limits.cancel = request_.limits.cancel;
    const IntersectionReport report = intersect(a, b, any, context_);
    return report.status == ReportStatus::complete && !report.intersects();
  }

  /// True if a limit has ended the search.
  [[nodiscard]] bool isOver() {
    if (request_.limits.cancel.stop_requested())
      result_.status = ReportStatus::cancelled;
    else if (result_.poses >= mostPoses_ || (deadline_ && std::chrono::steady_clock::now() >= *deadline_))
      result_.status = std::max(result_.status, ReportStatus::truncated);
    return result_.status != ReportStatus::complete;
  }

  const WayOutRequest& request_;
  QueryContext& context_;
  MovableBody a_, b_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::size_t mostPoses_ = 0;
  Way best_{{}, std::numeric_limits<double>::infinity()};
  WayOut result_;
};

}  // namespace

WayOut wayOut(const PosedSolid& first, const PosedSolid& second, const WayOutRequest& request,
              QueryContext& context) {
  requireSolids(first, second);
  if (!(request.atLeast >= 0)) throw InputError("way out", "length", "is negative or not a number");
  for (const Vec3& direction : request.directions)
    if (!(norm(direction) > 0 && isFinite(direction)))
      throw InputError("way out", "direction", "is 0 or not finite");
  // The same roles whatever the order of the arguments.
  const bool isSwapped = PairFrame::of(first.posed(), second.posed()).swapped;
  const PosedSolid &a = isSwapped ? second : first, &b = isSwapped ? first : second;
  WayOut result = WayOutSearch(a, b, request, context).run(isSwapped ? -1 : 1);
  if (isSwapped && result.translation) result.translation = -*result.translation;
  return result;
}

WayOut wayOut(const PosedSolid& first, const PosedSolid& second, const WayOutRequest& request) {
  QueryContext context;
  return wayOut(first, second, request, context);
}

}  // namespace fitup
