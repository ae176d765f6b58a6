#include <fitup/query/detail/piercing.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/triangle_intersection.h>
#include <fitup/query/detail/cut_graph.h>
#include <fitup/query/detail/enclosed_middle.h>
#include <fitup/query/detail/equally_near.h>
#include <fitup/query/detail/wall_middle.h>
#include <fitup/query/verdict.h>

namespace fitup::detail {
namespace {

/// Pairs of points of one triangle that are bisected. A triangle through a wall has few; one through a thread
/// or a grille has many, and any of them will do.
constexpr std::size_t mostPairs = 64;
/// Of these pairs, those from which the middle of a rod is looked for, and the steps of such a search.
constexpr std::size_t mostClimbs = 4;
constexpr int mostSteps = 16;

/// Follows the surface of one body (the source) inside the other one (the target), in the target's frame.
class MiddleSearch {
 public:
  /// `side`: 0 if A of the pair is the source.
  MiddleSearch(const BodyPair& pair, int side, const IntersectionReport& pairs, bool isSwapped, double t,
               double least, bool unknownIsInside, const std::function<bool()>& stop)
      : pair_(pair),
        side_(side),
        source_(*pair.body(side).solid),
        target_(*pair.body(1 - side).solid),
        targetFromSource_(side == 0 ? pair.frame.placement.bFromA : pair.frame.placement.aFromB),
        middle_(target_, t, least, unknownIsInside),
        stop_(stop) {
    for (const TrianglePair& p : pairs.trianglePairs) {
      const bool firstIsA = !isSwapped;
      const TriangleId a = firstIsA ? p.a : p.b, b = firstIsA ? p.b : p.a;
      cuts_[index(side == 0 ? a : b)].push_back(side == 0 ? b : a);
    }
  }

  std::optional<MiddlePoint> find() {
    std::vector<std::uint32_t> open;
    std::vector<char> seen(source_.mesh().triangleCount());
    const auto push = [&](std::uint32_t triangle) {
      if (std::exchange(seen[triangle], 1) == 0) open.push_back(triangle);
    };
    std::vector<std::uint32_t> cut;
    for (const auto& [triangle, others] : cuts_) cut.push_back(triangle);
    std::sort(cut.begin(), cut.end());  // the same order in each run
    for (const std::uint32_t triangle : cut) push(triangle);
    while (!open.empty()) {
      if (stop_ && stop_()) return std::nullopt;
      const TriangleId id{open.back()};
      open.pop_back();
      if (const auto found = findIn(id)) return found;
      for (const std::uint32_t edge : source_.topology().edgesOf(id)) {
        if (edge == MeshTopology::noEdge) continue;
        const MeshTopology::Edge& e = source_.topology().edges()[edge];
        if (!sampleOf(e.low).isInside && !sampleOf(e.high).isInside) continue;
        for (const MeshTopology::Use& use : source_.topology().uses(e)) push(use.triangle);
      }
    }
    return std::nullopt;
  }

  /// Looks for a middle of the target inside the source.
  EnclosedMiddle findEnclosed() {
    return findEnclosedMiddle(target_, middle_, source_,
                              side_ == 0 ? pair_.frame.placement.aFromB : pair_.frame.placement.bFromA,
                              stop_);
  }

 private:
  struct Sample {
    Vec3 point;
    Vec3 way;  ///< unit, to the nearest boundary point, or outward on the boundary
    bool isInside = false;
  };

  const Sample& sampleOf(std::uint32_t welded) {
    const auto [at, isNew] = corners_.try_emplace(welded);
    if (!isNew) return at->second;
    Sample& sample = at->second;
    sample.point = targetFromSource_.apply(toVec3(source_.mesh().points()[welded]));
    const auto way = wayFrom(sample.point);  // costs less than the side, which most corners then do not need
    if (!way) return sample;
    sample.way = *way;
    sample.isInside = middle_.isInside(sample.point);
    return sample;
  }

  std::optional<Vec3> wayFrom(const Vec3& p) {
    const auto nearest = middle_.closest(p);
    if (!nearest || !(nearest->distance > 0)) return std::nullopt;
    return normalized(nearest->point - p);
  }

  std::optional<MiddlePoint> findIn(TriangleId id) {
    std::vector<Sample> samples;
    for (const std::uint32_t corner : source_.mesh().triangles()[index(id)])
      if (const Sample& s = sampleOf(source_.topology().welded(corner)); s.isInside) samples.push_back(s);
    if (const auto cuts = cuts_.find(index(id)); cuts != cuts_.end()) addCuts(id, cuts->second, samples);
    struct Change {
      double length;
      std::size_t from, to;
      [[nodiscard]] auto operator<=>(const Change&) const = default;
    };
    std::vector<Change> changes;  // a heap, the longest first: a triangle through a grille has millions
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (i % 256 == 255 && stop_ && stop_()) return std::nullopt;
      for (std::size_t k = i + 1; k < samples.size(); ++k) {
        if (!(dot(samples[i].way, samples[k].way) <= oppositeWays) || !isAcross(samples[i], samples[k]))
          continue;
        const Change change{norm(samples[i].point - samples[k].point), i, k};
        if (changes.size() == mostPairs) {
          if (!(change < changes.front())) continue;
          std::pop_heap(changes.begin(), changes.end());
          changes.pop_back();
        }
        changes.push_back(change);
        std::push_heap(changes.begin(), changes.end());
      }
    }
    std::sort_heap(changes.begin(), changes.end());
    Triangle triangle = source_.mesh().triangle(id);
    for (Vec3& p : triangle.v) p = targetFromSource_.apply(p);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      Vec3 last;
      if (const auto found = bisect(samples[changes[i].from], samples[changes[i].to], last)) return found;
      if (i >= mostClimbs) continue;
      if (const auto found = climb(last, triangle)) return found;
    }
    return std::nullopt;
  }

  void addCuts(TriangleId id, const std::vector<TriangleId>& others, std::vector<Sample>& samples) {
    struct Side {
      TriangleId triangle;
      Vec3 way;  ///< unit, outward
    };
    std::vector<Side> sides;
    for (const TriangleId other : others) {
      const Triangle t = target_.mesh().triangle(other);
      const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
      if (norm(n) > 0) sides.push_back({other, normalized(n) * target_.watertightness().outward(other)});
    }
    // Most triangles cross only one side of a wall. Points of intersection are expensive.
    const auto isOpposed = [&](const Vec3& way) {
      return std::ranges::any_of(sides, [&](const Side& s) { return dot(s.way, way) <= oppositeWays; });
    };
    if (!std::ranges::any_of(sides, isOpposed, &Side::way) &&
        !std::ranges::any_of(samples, isOpposed, &Sample::way))
      return;
    // In the frame of A.
    const Triangle own = pair_.triangle(side_, id);
    for (const Side& side : sides) {
      const TriangleIntersection common = triangleIntersection(own, pair_.triangle(1 - side_, side.triangle));
      if (common.kind == TriangleIntersection::Kind::polygon) continue;  // faces on each other
      for (const Vec3& p : common.corners())
        samples.push_back({side_ == 0 ? pair_.frame.placement.bFromA.apply(p) : p, side.way});
    }
  }

  /// False if the ways of two points lead towards each other, as on the two sides of a gap or hole rather
  /// than of a wall.
  static bool isAcross(const Sample& from, const Sample& to) noexcept {
    return dot(to.point - from.point, to.way - from.way) > 0;
  }

  /// Looks for the middle between two points of one triangle that are near opposite sides of a wall. `last`
  /// is the last point that was looked at.
  std::optional<MiddlePoint> bisect(const Sample& from, const Sample& to, Vec3& last) {
    Vec3 low = from.point, high = to.point;
    for (int step = 0; step < 40; ++step) {
      last = 0.5 * (low + high);
      const auto nearest = middle_.closest(last);
      if (!nearest) break;
      if (const auto found = middle_.at(last, *nearest)) return found;
      // Distances change no faster than points move, so a middle in between would have been recognised.
      if (!(norm(high - low) > std::max(middle_.least(), equallyNear / 4 * nearest->distance))) break;
      const Vec3 way = nearest->point - last;
      (dot(way, from.way) >= dot(way, to.way) ? low : high) = last;
    }
    return std::nullopt;
  }

  /// The middle of a wall is a surface, which a line between its sides crosses; that of a rod is a curve.
  /// Climbs within the triangle to where the depth has a maximum, along the ridges where two boundary points
  /// are equally near.
  std::optional<MiddlePoint> climb(Vec3 p, const Triangle& triangle) {
    const Vec3 n = cross(triangle.v[1] - triangle.v[0], triangle.v[2] - triangle.v[0]);
    if (!(norm(n) > 0)) return std::nullopt;
    const Vec3 normal = normalized(n);
    const auto inPlane = [&](const Vec3& v) { return v - dot(v, normal) * normal; };
    for (int step = 0; step < mostSteps; ++step) {
      const auto nearest = middle_.closest(p);
      if (!nearest || !(nearest->distance > middle_.least())) return std::nullopt;
      if (const auto found = middle_.at(p, *nearest)) return found;
      const Vec3 ascent = -1 * shortestOf(waysFrom(p, nearest->distance, inPlane));
      if (norm(ascent) < 1e-3) return std::nullopt;
      const Vec3 along = normalized(ascent);
      const double near = nearest->distance * equallyNear / 64;
      double low = 0, high = std::min(lengthWithin(triangle, normal, p, along), 2 * middle_.t());
      while (high - low > near) {
        const double middle = 0.5 * (low + high);
        const auto way = wayFrom(p + middle * along);
        (way && dot(*way, along) < 0 ? low : high) = middle;
      }
      if (!(low > near)) return std::nullopt;
      p = p + low * along;
    }
    return std::nullopt;
  }

  /// The unit ways from `p` to the boundary points that are equally near, in the triangle's plane.
  template <class InPlane>
  std::vector<Vec3> waysFrom(const Vec3& p, double distance, const InPlane& inPlane) {
    std::vector<Vec3> ways;
    const double within = distance * (1 + equallyNear / 16);
    for (const TriangleId id : middle_.near(p, within)) {
      const ClosestPoints other = distancePointTriangle(p, middle_.boundary().triangle(id));
      if (other.distance <= within) ways.push_back(inPlane(normalized(other.onB - p)));
    }
    return ways;
  }

  /// The shortest vector of the convex hull of some (Frank and Wolfe): the depth grows fastest against it.
  static Vec3 shortestOf(const std::vector<Vec3>& ways) {
    if (ways.empty()) return {};
    Vec3 shortest = ways.front();
    for (int i = 0; i < 64; ++i) {
      const Vec3& least = *std::min_element(ways.begin(), ways.end(), [&](const Vec3& a, const Vec3& b) {
        return dot(a, shortest) < dot(b, shortest);
      });
      const Vec3 to = least - shortest;
      const double share = -dot(shortest, to) / std::max(dot(to, to), 1e-300);
      if (!(share > 1e-9)) break;
      shortest = shortest + std::min(share, 1.0) * to;
    }
    return shortest;
  }

  /// How far a point of a triangle can go along a direction of its plane.
  static double lengthWithin(const Triangle& triangle, const Vec3& normal, const Vec3& p, const Vec3& along) {
    double length = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
      const Vec3 inward = cross(normal, triangle.v[(k + 1) % 3] - triangle.v[k]);
      const double towards = -dot(inward, along);
      if (towards > 0) length = std::min(length, std::max(0.0, dot(inward, p - triangle.v[k])) / towards);
    }
    return length;
  }

  const BodyPair& pair_;
  int side_;
  const SolidModel &source_, &target_;
  Transform targetFromSource_;
  WallMiddle middle_;
  const std::function<bool()>& stop_;
  std::unordered_map<std::uint32_t, std::vector<TriangleId>> cuts_;  ///< by source triangle
  std::unordered_map<std::uint32_t, Sample> corners_;
};

}  // namespace

PiercingSearch findPiercing(const PosedSolid& first, const PosedSolid& second,
                            const IntersectionReport& pairs, double t, bool unknownIsInside,
                            const std::function<bool()>& stop) {
  BodyPair pair = BodyPair::of(first, second);
  const bool isSwapped = pair.a != &first;
  const double least = 16 * coordinateRounding(first, second);
  PiercingSearch result;
  for (const int side : {0, 1}) {
    MiddleSearch search(pair, side, pairs, isSwapped, t, least, unknownIsInside, stop);
    auto found = search.find();
    if (!found) {
      EnclosedMiddle enclosed = search.findEnclosed();
      result.limited = result.limited || enclosed.limited;
      found = enclosed.found;
    }
    if (!found) {
      result.found.reset();
      return result;
    }
    const PosedSolid& target = pair.body(1 - side);
    Piercing piercing;
    piercing.point = target.inWorld(found->point);
    piercing.depth = found->depth;
    piercing.direction = normalized(target.worldFromPart.applyToVector(found->nearest - found->point));
    piercing.pointOfFirst = (side == 0) != isSwapped;
    if (!result.found || piercing.depth > result.found->depth) result.found = piercing;
  }
  result.limited = false;
  return result;
}

}  // namespace fitup::detail
