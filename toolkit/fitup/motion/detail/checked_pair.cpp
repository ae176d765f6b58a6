#include <fitup/motion/detail/checked_pair.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace fitup::detail {
namespace {

/// Of looking at a piece of a triangle in all ways, in units of looking at two boxes.
constexpr std::size_t costOfPiece = 16;
/// So many triangles are first looked at as one convex piece.
constexpr std::uint32_t mostInBundle = 12;
/// Of many pieces, so many are looked at to find that a window is too long for most of them.
constexpr std::size_t samplePieces = 16;
constexpr double infinite = std::numeric_limits<double>::infinity();

Vec3 columnOf(const Transform& map, std::size_t k) { return {map.m[0][k], map.m[1][k], map.m[2][k]}; }

Vec3 mean(const Corners& t) { return (t[0] + t[1] + t[2]) * (1.0 / 3); }

/// Unit, or nothing for a vector too short to have a direction.
std::optional<Vec3> directionOf(const Vec3& v) {
  const double length = norm(v);
  return length > 0 && std::isfinite(length) ? std::optional(v * (1 / length)) : std::nullopt;
}

/// Halves a triangle across its longest edge.
std::array<Corners, 2> halved(const Corners& t) {
  std::size_t longest = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (norm(t[(k + 1) % 3] - t[k]) > norm(t[(longest + 1) % 3] - t[longest])) longest = k;
  const Vec3 &a = t[longest], &b = t[(longest + 1) % 3], &c = t[(longest + 2) % 3], m = 0.5 * (a + b);
  return {{{a, m, c}, {m, b, c}}};
}

std::array<Vec3, 3> sidesOf(const Transform& place, const Vec3& half) {
  return {columnOf(place, 0) * half.x, columnOf(place, 1) * half.y, columnOf(place, 2) * half.z};
}

/// Where corners would be at both ends of the window if they went straight.
std::array<Vec3, 6> sweptCorners(const MotionWindow& window, const Corners& t) {
  std::array<Vec3, 6> swept;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 way = window.velocity(t[k]) * window.half;
    swept[k] = t[k] - way;
    swept[k + 3] = t[k] + way;
  }
  return swept;
}

/// The convex hull of points with a ball of radius `wider` added, and what may separate it from triangles.
struct Hull {
  std::vector<Vec3> points;
  double wider = 0;
  std::vector<Vec3> edges;  ///< directions of its edges, of any length
  std::vector<Vec3> ways;   ///< unit
};

std::pair<double, double> extentAlong(std::span<const Vec3> points, const Vec3& n) {
  std::pair<double, double> extent{infinite, -infinite};
  for (const Vec3& p : points) {
    const double x = dot(n, p);
    extent = {std::min(extent.first, x), std::max(extent.second, x)};
  }
  return extent;
}

double gapBetween(const std::pair<double, double>& a, const std::pair<double, double>& b) {
  return std::max(a.first - b.second, b.first - a.second);
}

/// The separating axis theorem's directions, and that to the nearest point. Finding none decides nothing.
/// `swept`: the corners of a triangle `t`, or where they are at the ends of a window.
bool isApart(const Hull& hull, const Vec3& inner, const Corners& t, std::span<const Vec3> swept,
             double wider) {
  const auto separates = [&](const Vec3& v) {
    const auto n = directionOf(v);
    return n && gapBetween(extentAlong(hull.points, *n), extentAlong(swept, *n)) > wider;
  };
  if (separates(cross(t[1] - t[0], t[2] - t[0])) || separates(nearestOnTriangle(inner, t) - inner))
    return true;
  for (std::size_t k = 0; k < 3; ++k)
    for (const Vec3& edge : hull.edges)
      if (separates(cross(t[(k + 1) % 3] - t[k], edge))) return true;
  return false;
}

/// True if the surface of the body, which moves in the frame of the hull, keeps off the hull within the
/// window, as boxes and triangles separated along a direction show. `inner` is a point of the hull.
bool keepsOff(const CheckedBody& body, const MotionWindow& window, const Hull& hull, const Vec3& inner) {
  const double wider = hull.wider + window.deviation();
  struct Way {
    Vec3 n, turning;
    std::pair<double, double> extent;
  };
  std::vector<Way> ways;
  const auto addWay = [&](const Vec3& n) {
    ways.push_back({n, cross(n, window.spin), extentAlong(hull.points, n)});
  };
  for (std::size_t k = 0; k < 3; ++k) addWay(columnOf(window.secondFromFirst, k));
  for (const Vec3& n : hull.ways) addWay(n);
  std::vector<std::uint32_t> open{0U};
  while (!open.empty()) {
    const CheckedBody::Node& node = body.nodes()[open.back()];
    open.pop_back();
    const Vec3 centre = window.secondFromFirst.apply(node.centre), velocity = window.velocity(centre);
    const std::array<Vec3, 3> sides = sidesOf(window.secondFromFirst, node.half);
    const bool isSeparated = std::ranges::any_of(ways, [&](const Way& way) {
      double half = window.half * std::abs(dot(way.n, velocity));
      for (const Vec3& side : sides)
        half += std::abs(dot(way.n, side)) + window.half * std::abs(dot(way.turning, side));
      const double at = dot(way.n, centre);
      return gapBetween(way.extent, {at - half, at + half}) > wider;
    });
    if (isSeparated) continue;
    if (!node.isLeaf()) {
      open.push_back(node.left);
      open.push_back(node.rightOrId);
      continue;
    }
    Corners t = body.triangles()[node.rightOrId];
    for (Vec3& p : t) p = window.secondFromFirst.apply(p);
    const std::array<Vec3, 6> swept = sweptCorners(window, t);
    const bool isSeparatedFromTriangle = std::ranges::any_of(
        ways, [&](const Way& way) { return gapBetween(way.extent, extentAlong(swept, way.n)) > wider; });
    if (!isSeparatedFromTriangle && !isApart(hull, inner, t, swept, wider)) return false;
  }
  return true;
}

/// True if nothing of the resting body meets the hull and `inner`, a point of it, is outside: then all of it
/// is.
bool isOutside(const CheckedBody& body, const Hull& hull, const Vec3& inner) {
  return keepsOff(body, MotionWindow{}, hull, inner) && body.contains(inner) == false;
}

Hull moved(Hull hull, const Vec3& shift) {
  for (Vec3& p : hull.points) p = p + shift;
  return hull;
}

std::array<Vec3, 8> cornersOf(const CheckedBody::Node& node, const Transform& place) {
  std::array<Vec3, 8> corners;
  for (std::size_t i = 0; i < 8; ++i)
    corners[i] = place.apply(node.centre + Vec3{(i & 1) ? node.half.x : -node.half.x,
                                                (i & 2) ? node.half.y : -node.half.y,
                                                (i & 4) ? node.half.z : -node.half.z});
  return corners;
}

/// What a box of the first body sweeps, in the frame of the second one.
Hull sweptBox(const MotionWindow& window, const CheckedBody::Node& node, double rounding) {
  Hull hull;
  hull.wider = window.deviation() + rounding;
  for (const Vec3& y : cornersOf(node, window.secondFromFirst))
    for (const double tau : {-window.half, window.half}) hull.points.push_back(y + tau * window.velocity(y));
  for (std::size_t k = 0; k < 3; ++k) hull.ways.push_back(columnOf(window.secondFromFirst, k));
  return hull;
}

}  // namespace

double gapOfBoxes(const MotionWindow& window, const CheckedBody::Node& a, const CheckedBody::Node& b,
                  double rounding, double enough) {
  const Vec3 centre = window.secondFromFirst.apply(a.centre), apart = b.centre - centre;
  const Vec3 velocity = window.velocity(centre);
  const std::array<Vec3, 3> sides = sidesOf(window.secondFromFirst, a.half);
  double best = -infinite;
  // Along a unit vector n the centre of box a moves by n.v tau, and a point d off it by d.(n x w) tau more.
  const auto isEnough = [&](const Vec3& n) {
    const Vec3 turning = cross(n, window.spin);
    double gap = std::abs(dot(n, apart)) - window.half * std::abs(dot(n, velocity)) - window.deviation() -
                 (std::abs(n.x) * b.half.x + std::abs(n.y) * b.half.y + std::abs(n.z) * b.half.z);
    for (const Vec3& side : sides) gap -= std::abs(dot(n, side)) + window.half * std::abs(dot(turning, side));
    best = std::max(best, gap - rounding);
    return best > enough;
  };
  // From the centre of each box to the nearest point of the other one, and between the centres.
  const Vec3 inA{dot(apart, columnOf(window.secondFromFirst, 0)),
                 dot(apart, columnOf(window.secondFromFirst, 1)),
                 dot(apart, columnOf(window.secondFromFirst, 2))};
  Vec3 toA = apart;
  for (std::size_t k = 0; k < 3; ++k) {
    const double half = a.half[static_cast<int>(k)];
    toA = toA - columnOf(window.secondFromFirst, k) * std::clamp(inA[static_cast<int>(k)], -half, half);
  }
  const Vec3 toB{apart.x - std::clamp(apart.x, -b.half.x, b.half.x),
                 apart.y - std::clamp(apart.y, -b.half.y, b.half.y),
                 apart.z - std::clamp(apart.z, -b.half.z, b.half.z)};
  for (const Vec3& way : {toB, toA, apart})
    if (const auto n = directionOf(way); n && isEnough(*n)) return best;
  for (const Vec3& n : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    if (isEnough(n)) return best;
  for (std::size_t k = 0; k < 3; ++k)
    if (isEnough(columnOf(window.secondFromFirst, k) * (1 / norm(columnOf(window.secondFromFirst, k)))))
      return best;
  return best;
}

bool CheckBudget::take(std::size_t cost) {
  if (isOver()) return false;
  if (left_ < cost) {
    reason_ = "more pieces of surface and time would have to be looked at than the budget allows";
    return false;
  }
  left_ -= cost;
  if (looks_++ % 256 == 0) {
    if (cancel_[0].stop_requested() || cancel_[1].stop_requested()) reason_ = "cancelled";
    if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) reason_ = "the time is over";
  }
  return !isOver();
}

PairAnswer CheckedPair::unchecked(const std::string& reason) const {
  return {IntervalCheck::unchecked, reason.empty() ? budget_.reason() : reason, {}};
}

double CheckedPair::reachOf(const MotionWindow& window, const Vec3& centre, double radius) {
  return window.half * (norm(window.velocity(centre)) + norm(window.spin) * radius) + window.deviation();
}

PairAnswer CheckedPair::areApart(double from, double to, double distance) const {
  if (first_.nodes().empty() || second_.nodes().empty()) return {};
  return areApart(from, to, {{0U, 0U}}, distance);
}

PairAnswer CheckedPair::areApart(double from, double to, std::vector<NodePair> open, double distance) const {
  const double enough = std::max(0.0, distance);
  const MotionWindow window = motion_.over(from, to), moment = motion_.over(window.middle, window.middle);
  std::optional<MotionWindow> back;
  const auto reversed = [&]() -> const MotionWindow& {
    if (!back) back = reverse_.over(from, to);
    return *back;
  };
  std::vector<NodePair> later;  // those for which the window is too long
  while (!open.empty()) {
    if (!budget_.take()) return unchecked();
    const NodePair at = open.back();
    open.pop_back();
    const CheckedBody::Node &a = first_.nodes()[at.first], &b = second_.nodes()[at.second];
    if (gapOfBoxes(window, a, b, rounding_, enough) > enough) continue;
    if (a.isLeaf() && b.isLeaf()) {
      Corners ta = first_.triangles()[a.rightOrId];
      const Corners& tb = second_.triangles()[b.rightOrId];
      for (Vec3& p : ta) p = window.secondFromFirst.apply(p);
      const PointPair near = nearestOfTriangles(ta, tb);
      if (near.distance < distance || !(near.distance > 0))
        return {
            IntervalCheck::refuted, {}, Counterexample{window.middle, near.a, near.b, false, near.distance}};
      const Vec3 n = (near.b - near.a) * (1 / near.distance);
      double gap =
          gapBetween(extentAlong(sweptCorners(window, ta), n), extentAlong(tb, n)) - window.deviation();
      if (!(gap - rounding_ > enough) && window.half > 0) {
        // Along a direction that turns with the first triangle.
        const MotionWindow& reverse = reversed();
        Corners moving = tb;
        for (Vec3& p : moving) p = reverse.secondFromFirst.apply(p);
        const Vec3 m = reverse.secondFromFirst.applyToVector(n);
        gap = std::max(gap, gapBetween(extentAlong(first_.triangles()[a.rightOrId], m),
                                       extentAlong(sweptCorners(reverse, moving), m)) -
                                reverse.deviation());
      }
      if (!(gap - rounding_ > enough)) later.push_back(at);
      continue;
    }
    // Is the window too long, or are the boxes too large?
    const double sizeA = norm(a.half), sizeB = norm(b.half);
    const double reach = reachOf(window, window.secondFromFirst.apply(a.centre), sizeA);
    if (reach > std::max(sizeA, sizeB) || gapOfBoxes(moment, a, b, rounding_, enough) > enough) {
      later.push_back(at);
    } else if (b.isLeaf() || (!a.isLeaf() && sizeA > sizeB)) {
      open.insert(open.end(), {{a.left, at.second}, {a.rightOrId, at.second}});
    } else {
      open.insert(open.end(), {{at.first, b.left}, {at.first, b.rightOrId}});
    }
  }
  if (later.empty()) return {};
  const double middle = 0.5 * (from + to);
  if (!(from < middle && middle < to)) return unchecked("the distance equals the bound, up to rounding");
  if (PairAnswer early = areApart(from, middle, later, distance); early.check != IntervalCheck::confirmed)
    return early;
  return areApart(middle, to, std::move(later), distance);
}

PairAnswer CheckedPair::isNowhereDeeper(double from, double to, double depth) const {
  if (first_.nodes().empty() || second_.nodes().empty()) return {};
  return isNowhereDeeper(from, to, {Piece{}}, depth);
}

PairAnswer CheckedPair::isNowhereDeeper(double from, double to, std::vector<Piece> open, double depth) const {
  const MotionWindow window = motion_.over(from, to), reverse = reverse_.over(from, to);
  const MotionWindow moment = motion_.over(window.middle, window.middle);
  const MotionWindow reverseMoment = reverse_.over(window.middle, window.middle);
  std::vector<Piece> later, pieces;
  while (!open.empty()) {
    if (!budget_.take()) return unchecked();
    const Piece piece = open.back();
    open.pop_back();
    if (piece.isTriangle) {
      pieces.push_back(piece);
      continue;
    }
    const CheckedBody::Node& node = first_.nodes()[piece.node];
    const Vec3 centre = window.secondFromFirst.apply(node.centre);
    if (gapOfBoxes(window, node, second_.nodes()[0], rounding_, 0) > 0) continue;
    const double size = norm(node.half);
    if (isOutside(second_, sweptBox(window, node, rounding_), centre)) continue;
    if (node.count <= mostInBundle)
      pieces.push_back(piece);
    else if (reachOf(window, centre, size) > size)
      later.push_back(piece);
    else
      open.insert(open.end(), {{node.left, false, {}}, {node.rightOrId, false, {}}});
  }
  // Is a piece too large, or the window too long?
  const auto isWindowTooLong = [&](const std::vector<Vec3>& points) {
    return window.half > 0 && isShallow(moment, reverseMoment, points, depth);
  };
  if (const std::size_t stride = pieces.size() / samplePieces; stride >= 4) {
    std::size_t tooLong = 0;
    for (std::size_t i = 0; i < samplePieces; ++i) {
      if (!budget_.take(costOfPiece)) return unchecked();
      const std::vector<Vec3> points = pointsOf(pieces[i * stride]);
      tooLong += !isShallow(window, reverse, points, depth) && isWindowTooLong(points) ? 1 : 0;
    }
    if (tooLong + 1 >= samplePieces) later.insert(later.end(), pieces.begin(), pieces.end());
    if (tooLong + 1 >= samplePieces) pieces.clear();
  }
  while (!pieces.empty()) {
    if (!budget_.take(costOfPiece)) return unchecked();
    const Piece piece = pieces.back();
    pieces.pop_back();
    const std::vector<Vec3> points = pointsOf(piece);
    if (isShallow(window, reverse, points, depth)) continue;
    if (isWindowTooLong(points)) {
      later.push_back(piece);
    } else if (!piece.isTriangle) {
      for (const std::uint32_t t : first_.trianglesIn(piece.node))
        pieces.push_back({0, true, first_.triangles()[t]});
    } else {
      if (const auto deeper = deeperPoint(window, piece.corners, depth))
        return {IntervalCheck::refuted, {}, deeper};
      for (const Corners& half : halved(piece.corners)) pieces.push_back({0, true, half});
    }
  }
  if (later.empty()) return {};
  const double middle = 0.5 * (from + to);
  if (!(from < middle && middle < to)) return unchecked("the depth equals the bound, up to rounding");
  if (PairAnswer early = isNowhereDeeper(from, middle, later, depth); early.check != IntervalCheck::confirmed)
    return early;
  return isNowhereDeeper(middle, to, std::move(later), depth);
}

std::vector<Vec3> CheckedPair::pointsOf(const Piece& piece) const {
  if (piece.isTriangle) return {piece.corners.begin(), piece.corners.end()};
  std::vector<Vec3> points;
  for (const std::uint32_t t : first_.trianglesIn(piece.node))
    for (const Vec3& p : first_.triangles()[t])
      if (std::ranges::find(points, p) == points.end()) points.push_back(p);
  points.resize(std::max<std::size_t>(3, points.size()), points.front());
  return points;
}

bool CheckedPair::isShallow(const MotionWindow& window, const MotionWindow& reverse,
                            const std::vector<Vec3>& piece, double depth) const {
  std::vector<Vec3> y, swept;
  Vec3 centre, middle;
  for (const Vec3& p : piece) {
    y.push_back(window.secondFromFirst.apply(p));
    const Vec3 way = window.velocity(y.back()) * window.half;
    swept.insert(swept.end(), {y.back() - way, y.back() + way});
    centre = centre + y.back() * (1.0 / static_cast<double>(piece.size()));
    middle = middle + p * (1.0 / static_cast<double>(piece.size()));
  }
  const CheckedBody::Nearest near = second_.nearest(centre);
  // The distance from a triangle is convex, at a time in the place and at a place in the time, and so at most
  // that of the corners at both ends.
  const Corners& nearest = second_.triangles()[near.triangle];
  if (std::ranges::all_of(swept, [&](const Vec3& p) {
        return norm(nearestOnTriangle(p, nearest) - p) <= depth - window.deviation() - rounding_;
      }))
    return true;

  // Points that a shift by at most `depth` takes outside are not deeper than that. Nothing of the second
  // surface is to meet what the shifted piece sweeps, in the frame of either part: directions along which
  // they are separated turn with it.
  const auto ownNormal = directionOf(cross(y[1] - y[0], y[2] - y[0]));
  const Vec3& itsNormal = second_.outwardNormals()[near.triangle];
  Hull hull{swept, window.deviation() + rounding_, {}, {itsNormal}};
  for (std::size_t k = 0; k < 3; ++k) hull.edges.push_back(y[(k + 1) % 3] - y[k]);
  hull.edges.push_back(window.velocity(centre));
  if (ownNormal) hull.ways.push_back(*ownNormal);
  Hull still{piece, rounding_, {}, {}};
  for (const Vec3& n : hull.ways) still.ways.push_back(reverse.secondFromFirst.applyToVector(n));
  for (std::size_t k = 0; k < 3; ++k) still.edges.push_back(piece[(k + 1) % 3] - piece[k]);
  const auto isOutsideShifted = [&](const Vec3& shift) {
    const Vec3 back = reverse.secondFromFirst.applyToVector(shift), inner = centre + shift;
    const bool keeps = keepsOff(second_, MotionWindow{}, moved(hull, shift), inner) ||
                       (window.half > 0 && keepsOff(second_, reverse, moved(still, back), middle + back));
    return keeps && second_.contains(inner) == false;
  };
  if (near.distance > rounding_ && isOutsideShifted({})) return true;
  std::vector<Vec3> ways;
  const auto addWay = [&](const std::optional<Vec3>& n) {
    if (n && std::ranges::none_of(ways, [&](const Vec3& w) { return dot(w, *n) > 1 - 1e-9; }))
      ways.push_back(*n);
  };
  addWay(itsNormal);
  addWay(directionOf(near.point - centre));
  if (ownNormal) addWay(-*ownNormal);
  addWay(ownNormal);
  const double most = depth - rounding_;
  for (const Vec3& n : ways)
    if (isOutsideShifted(n * most)) return true;
  for (const Vec3& n : ways)
    if (near.distance < most && isOutsideShifted(n * (0.5 * (most + near.distance)))) return true;
  return false;
}

std::optional<Counterexample> CheckedPair::deeperPoint(const MotionWindow& window, const Corners& piece,
                                                       double depth) const {
  for (const Vec3& x : {mean(piece), piece[0], piece[1], piece[2]}) {
    const Vec3 p = window.secondFromFirst.apply(x);
    const CheckedBody::Nearest near = second_.nearest(p);
    if (near.distance > depth + rounding_ && second_.contains(p) == true)
      return Counterexample{window.middle, p, near.point, true, near.distance};
  }
  return std::nullopt;
}

std::vector<Vec3> CheckedPair::lessDeepRemoved(std::vector<Vec3> polygon, double depth) const {
  std::vector<std::uint32_t> tried;
  for (std::size_t k = 0; k < 4 && !polygon.empty(); ++k) {
    Vec3 at = k < polygon.size() ? polygon[k] : polygon[0];
    if (k == 3) at = (polygon[0] + polygon[polygon.size() / 2]) * 0.5;
    const CheckedBody::Nearest near = second_.nearest(at, depth);
    if (!(near.distance < depth) || std::ranges::find(tried, near.triangle) != tried.end()) continue;
    tried.push_back(near.triangle);
    const Corners& t = second_.triangles()[near.triangle];
    const Vec3& n = second_.outwardNormals()[near.triangle];
    std::vector<Vec3> above, below;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
      const double hp = dot(n, p - t[0]) + depth - 2 * rounding_,
                   hq = dot(n, q - t[0]) + depth - 2 * rounding_;
      if (hp >= 0) above.push_back(p);
      if (hp <= 0) below.push_back(p);
      if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0)) {
        const Vec3 x = p + (q - p) * (hp / (hp - hq));
        above.push_back(x);
        below.push_back(x);
      }
    }
    // The distance from a triangle is convex, so what has all its corners near it is near it.
    const auto isLessDeep = [&](const Vec3& p) {
      return norm(nearestOnTriangle(p, t) - p) < depth - rounding_;
    };
    if (std::ranges::all_of(above, isLessDeep)) polygon = std::move(below);
  }
  return polygon;
}

PairAnswer CheckedPair::enclosesNoCore(double share, double depth) const {
  // A core C of the second body that is enclosed in the first has a point that is farthest in a direction n.
  // There, n is a positive combination of the directions to the nearest points of the boundary; otherwise a
  // small step would lead farther and deeper. (0 is no combination of them, but at critical depths, which are
  // isolated; what follows holds with a margin, and so for depths that are no such ones.) So one of them has
  // a positive product with n. It is the normal of a face, or between those of a re-entrant edge, and leads
  // from a point of C, and so of the first body. Therefore no such core exists if, for some n, what faces n
  // is outside of the first body once it is shifted inwards, except where it is then less deep.
  const MotionWindow window = motion_.over(share, share);
  const Transform firstFromSecond = undone(window.secondFromFirst);
  std::vector<Vec3> ways;
  const auto addWay = [&](const Vec3& v) {
    const auto n = directionOf(v);
    if (n && std::ranges::none_of(ways, [&](const Vec3& w) { return dot(w, *n) > 1 - 1e-9; }))
      ways.push_back(*n);
  };
  addWay(second_.nodes()[0].centre - window.secondFromFirst.apply(first_.nodes()[0].centre));
  for (const Vec3& n : second_.mainNormals())
    for (const double sign : {1.0, -1.0}) addWay(n * sign);
  for (const Vec3& n : first_.mainNormals())
    for (const double sign : {1.0, -1.0}) addWay(window.secondFromFirst.applyToVector(n * sign));
  // Most directions fail at once, or are confirmed with little work.
  for (const std::size_t pieces : {std::size_t{2000}, std::size_t{200'000}})
    for (const Vec3& way : ways) {
      if (isNoCoreTowards(way, firstFromSecond, depth, pieces)) return {};
      if (budget_.isOver()) return unchecked();
    }
  return unchecked("one part may enclose a core of the other one");
}

bool CheckedPair::isNoCoreTowards(const Vec3& way, const Transform& firstFromSecond, double depth,
                                  std::size_t pieces) const {
  const auto take = [&] { return pieces-- > 0 && budget_.take(); };
  const auto isOutsideOfFirst = [&](Hull hull) {
    Vec3 inner;
    for (Vec3& p : hull.points) {
      p = firstFromSecond.apply(p);
      inner = inner + p * (1.0 / static_cast<double>(hull.points.size()));
    }
    for (Vec3& v : hull.edges) v = firstFromSecond.applyToVector(v);
    for (Vec3& v : hull.ways) v = firstFromSecond.applyToVector(v);
    return isOutside(first_, hull, inner);
  };
  // Normals that are perpendicular to n up to the rounding of placements count as perpendicular.
  const auto faces = [&](const Vec3& normal) { return dot(normal, way) > 1e-12; };

  std::vector<std::uint32_t> nodes{0U};
  std::vector<std::pair<Corners, Vec3>> open;
  while (!nodes.empty()) {
    if (!take()) return false;
    const CheckedBody::Node& node = second_.nodes()[nodes.back()];
    nodes.pop_back();
    if (node.isLeaf()) {
      const Vec3& normal = second_.outwardNormals()[node.rightOrId];
      if (faces(normal)) open.emplace_back(second_.triangles()[node.rightOrId], normal);
      continue;
    }
    const auto corners = cornersOf(node, Transform{});
    if (!isOutsideOfFirst({{corners.begin(), corners.end()}, depth + rounding_, {}, {}}))
      nodes.insert(nodes.end(), {node.left, node.rightOrId});
  }
  while (!open.empty()) {
    if (!take()) return false;
    const auto [t, normal] = open.back();
    open.pop_back();
    const Vec3 shift = normal * -depth;
    const std::vector<Vec3> left = lessDeepRemoved({t[0] + shift, t[1] + shift, t[2] + shift}, depth);
    if (left.empty()) continue;
    if (isOutsideOfFirst({left, rounding_, {t[1] - t[0], t[2] - t[1], t[0] - t[2]}, {normal}})) continue;
    for (const Corners& half : halved(t)) open.emplace_back(half, normal);
  }
  std::vector<CheckedBody::ReentrantEdge> edges = second_.reentrantEdges();
  while (!edges.empty()) {
    if (!take()) return false;
    const CheckedBody::ReentrantEdge e = edges.back();
    edges.pop_back();
    if (!faces(e.normal) && !faces(e.otherNormal)) continue;
    // The arc between the two normals lies in the quadrilateral of their ends and of these, lengthened to
    // the tangents at its middle.
    const double cosine = std::sqrt(std::max(0.0, 0.5 * (1 + dot(e.normal, e.otherNormal))));
    if (cosine < 0.1) return false;
    Hull hull{{}, rounding_, {e.to - e.from}, {normalized(e.normal + e.otherNormal)}};
    for (const Vec3& p : {e.from, e.to})
      for (const Vec3& n : {e.normal, e.otherNormal})
        hull.points.insert(hull.points.end(), {p - n * depth, p - n * (depth / cosine)});
    if (isOutsideOfFirst(hull)) continue;
    const CheckedBody::Nearest near = second_.nearest(hull.points[0] * 0.5 + hull.points[7] * 0.5);
    if (std::ranges::all_of(hull.points, [&](const Vec3& p) {
          return norm(nearestOnTriangle(p, second_.triangles()[near.triangle]) - p) < depth - rounding_;
        }))
      continue;
    const Vec3 m = 0.5 * (e.from + e.to);
    edges.push_back({e.from, m, e.normal, e.otherNormal});
    edges.push_back({m, e.to, e.normal, e.otherNormal});
  }
  return true;
}

PairAnswer CheckedPair::isNoShellInside(double share) const {
  const MotionWindow window = motion_.over(share, share);
  for (const Vec3& corner : first_.cornersOfShells()) {
    if (!budget_.take()) return unchecked();
    const Vec3 p = window.secondFromFirst.apply(corner);
    const std::optional<bool> isInside = second_.contains(p);
    if (!isInside) return unchecked("it is uncertain whether one part is inside the other");
    if (!*isInside) continue;
    const CheckedBody::Nearest near = second_.nearest(p);
    return {IntervalCheck::refuted, {}, Counterexample{share, p, near.point, true, near.distance}};
  }
  return {};
}

}  // namespace fitup::detail
