#include <fitup/query/detail/core_search.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/query/detail/triangles_inside.h>

namespace fitup::detail {
namespace {

/// Pieces of offsets that are examined for each triangle of a body, and at least in all.
constexpr std::size_t piecesPerTriangle = 32, leastPieces = 200'000;
/// The same for bodies that are not closed: nothing is certain then.
constexpr std::size_t piecesOfOpen = 4'000;

/// The rim of the cone of directions that lead along none of the given ones: the unit vectors in its edges,
/// in order around it. Fewer than three if it is not solid.
std::vector<Vec3> rimOfCone(const std::vector<Vec3>& given) {
  constexpr double rounding = 1e-9;
  std::vector<Vec3> out;
  for (const Vec3& g : given) {
    if (std::ranges::any_of(out, [&](const Vec3& o) { return dot(o, g) > 1 - rounding; })) continue;
    // Between two opposite directions, the cone is flat.
    if (std::ranges::any_of(out, [&](const Vec3& o) { return dot(o, g) < rounding - 1; })) return {};
    out.push_back(g);
  }
  std::vector<Vec3> rim;
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = i + 1; k < out.size(); ++k) {
      const Vec3 both = cross(out[i], out[k]);
      if (!(norm(both) > 1e-6)) continue;
      for (const double sign : {1.0, -1.0}) {
        const Vec3 d = normalized(both) * sign;
        if (std::ranges::all_of(out, [&](const Vec3& o) { return dot(d, o) <= rounding; }) &&
            std::ranges::none_of(rim, [&](const Vec3& r) { return dot(r, d) > 1 - rounding; }))
          rim.push_back(d);
      }
    }
  if (rim.size() < 3) return rim;
  Vec3 middle;
  for (const Vec3& d : rim) middle = middle + d;
  const Vec3 x = rim.front() - dot(rim.front(), middle) / std::max(dot(middle, middle), 1e-300) * middle,
             y = cross(middle, x);
  std::ranges::sort(rim, {}, [&](const Vec3& d) {
    return std::atan2(dot(d, y) / std::max(norm(y), 1e-300), dot(d, x) / std::max(norm(x), 1e-300));
  });
  return rim;
}

}  // namespace

CoreSearch::CoreSearch(const SolidModel& core, const SolidModel& around, const Transform& aroundFromCore)
    : core_(core),
      around_(around),
      aroundFromCore_(aroundFromCore),
      inCore_(core.model()),
      onCore_(core.outer()),
      inAround_(around.model()) {}

/// Sets `common_` and the depth that no point inside both exceeds, as far as the boxes show it.
void CoreSearch::findCommonBox() {
  const Box ofCore = placedBounds(core_.mesh(), {}),
            ofAround = placedBounds(around_.mesh(), aroundFromCore_.inverse());
  for (int k = 0; k < 3; ++k) {
    common_.min[k] = std::max(ofCore.min[k] + goal_.least, ofAround.min[k]);
    common_.max[k] = std::min(ofCore.max[k] - goal_.least, ofAround.max[k]);
    result_.upper = std::min({result_.upper, 0.5 * (ofCore.max[k] - ofCore.min[k]),
                              ofAround.max[k] - ofCore.min[k], ofCore.max[k] - ofAround.min[k]});
  }
}

bool CoreSearch::ended() {
  if (result_.found || result_.stopped || result_.limited) return true;
  result_.limited = result_.pieces >= goal_.maxPieces;
  result_.stopped = !result_.limited && *stop_ && (*stop_)();
  return result_.stopped || result_.limited;
}

CoreResult CoreSearch::find(const Goal& goal, const Stop& stop) {
  goal_ = goal;
  stop_ = &stop;
  result_ = {};
  result_.upper = 0;
  if (!core_.watertightness().hasInside() || !around_.watertightness().hasInside()) return result_;
  result_.upper = goal.most;
  findCommonBox();
  if (result_.upper < goal.least) return result_;
  triangles_ = trianglesInside(core_, around_, inAround_, aroundFromCore_, common_, goal.most, stop);
  if (ended()) return result_;
  chooseDirection();
  searchFaces();
  findReflexEdges();
  searchEdges();
  searchCorners();
  return result_;
}

Vec3 CoreSearch::outward(TriangleId id) const noexcept {
  const Triangle t = core_.mesh().triangle(id);
  const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
  return norm(n) > 0 ? normalized(n) * core_.watertightness().outward(id) : Vec3{};
}

/// Chooses the direction in which fewest of the triangles look.
void CoreSearch::chooseDirection() {
  ahead_.reset();
  // Surfaces that are missing, and lines where shells cross, have no pieces.
  if (!core_.watertightness().closed() || &core_.outer() != &core_.model()) return;
  const double size = 2 * norm(core_.mesh().bounds().halfExtent());
  slope_ = std::min(0x1p-30, 0.25 * (goal_.most - goal_.least) / size);
  goal_.most -= slope_ * size;
  std::vector<Vec3> normals;
  for (const TriangleId id : triangles_) normals.push_back(outward(id));
  std::size_t fewest = ~std::size_t{0};
  for (const double x : {0.0, 1.0, -1.0})
    for (const double y : {0.0, 1.0, -1.0})
      for (const double z : {0.0, 1.0, -1.0}) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Vec3 direction = normalized(Vec3{x, y, z});
        std::size_t count = 0;
        for (const Vec3& n : normals) count += dot(n, direction) >= slope_;
        if (count >= fewest) continue;
        fewest = count;
        ahead_ = direction;
      }
}

void CoreSearch::searchFaces() {
  for (const TriangleId id : triangles_) {
    if (ended()) return;
    const Vec3 n = outward(id);
    if (!leadsAhead(n)) continue;
    const Triangle t = core_.mesh().triangle(id);
    const Vec3 in = n * -goal_.most;
    search(ConvexPolygon::of(t.v[0] + in, t.v[1] + in, t.v[2] + in));
  }
}

/// True unless the two triangles of an edge form a convex one, or are so flat that a strip would be narrower
/// than an eighth of the gap between d and `least`.
bool CoreSearch::isReflex(std::uint32_t edge) const {
  const MeshTopology::Edge& e = core_.topology().edges()[edge];
  const auto uses = core_.topology().uses(e);
  if (uses.size() != 2) return true;
  const TriangleId a{uses[0].triangle}, b{uses[1].triangle};
  const Vec3 n = outward(a), m = outward(b);
  if (dot(n, m) > 0 && norm(cross(n, m)) * goal_.most < (goal_.least - goal_.notDeeper) / 8) return false;
  const Vec3 from = toVec3(core_.mesh().points()[e.low]);
  double above = 0, below = 0;
  for (const Vec3& p : core_.mesh().triangle(b).v) {
    above = std::max(above, dot(n, p - from));
    below = std::max(below, -dot(n, p - from));
  }
  return !(below > above) && (above > 0 || !(dot(n, m) > 0));
}

void CoreSearch::findReflexEdges() {
  std::vector<std::uint32_t> edges;
  for (const TriangleId id : triangles_)
    for (const std::uint32_t edge : core_.topology().edgesOf(id))
      if (edge != MeshTopology::noEdge) edges.push_back(edge);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::erase_if(edges, [&](std::uint32_t edge) { return !isReflex(edge); });
  reflexEdges_ = std::move(edges);
}

void CoreSearch::searchEdges() {
  for (const std::uint32_t index : reflexEdges_) {
    if (ended()) return;
    const MeshTopology::Edge& e = core_.topology().edges()[index];
    const Edge edge{toVec3(core_.mesh().points()[e.low]), toVec3(core_.mesh().points()[e.high])};
    const Vec3 along = normalized(edge.to - edge.from);
    const auto uses = core_.topology().uses(e);
    const Vec3 a = outward(TriangleId{uses[0].triangle}),
               b = outward(TriangleId{uses[uses.size() - 1].triangle});
    if (uses.size() == 2 && norm(a) > 0 && norm(b) > 0 && dot(a, b) > -0.99) {
      const double angle = std::acos(std::clamp(dot(a, b), -1.0, 1.0));
      const Vec3 to = b - dot(a, b) * a;
      if (norm(to) > 0) searchArc(edge, a * -1.0, normalized(to) * -1.0, angle);
      continue;
    }
    // All round edges of more triangles, and knife edges.
    const Vec3 across = normalized(cross(along, std::abs(along.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
    searchArc(edge, across, cross(along, across), 2 * std::numbers::pi);
  }
}

/// Searches the strips of a cylinder round an edge, from one direction towards another one at right angles.
void CoreSearch::searchArc(const Edge& edge, const Vec3& from, const Vec3& towards, double angle) {
  // A strip with its corners at `most` comes as near as the cosine of half its angle.
  const double widest = 2 * std::acos(goal_.least / goal_.most);
  const int count = std::max(1, static_cast<int>(std::ceil(angle / widest)));
  const auto at = [&](int i) {
    const double turned = angle * i / count;
    return (std::cos(turned) * from + std::sin(turned) * towards) * goal_.most;
  };
  for (int i = 0; i < count; ++i) {
    if (ended()) return;
    if (!leadsAhead(-at(i)) && !leadsAhead(-at(i + 1))) continue;
    ConvexPolygon strip = ConvexPolygon::of(edge.from + at(i), edge.to + at(i), edge.to + at(i + 1));
    strip.add(edge.from + at(i + 1));
    search(strip);
  }
}

void CoreSearch::searchCorners() {
  std::vector<std::uint32_t> corners;
  for (const std::uint32_t edge : reflexEdges_) {
    corners.push_back(core_.topology().edges()[edge].low);
    corners.push_back(core_.topology().edges()[edge].high);
  }
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  std::erase_if(corners, [&](std::uint32_t corner) {
    const Vec3 p = toVec3(core_.mesh().points()[corner]), reach{goal_.most, goal_.most, goal_.most};
    return !common_.overlaps(Box{p - reach, p + reach});
  });
  // Directions from each corner in which something outside the body lies: along edges and normals.
  std::vector<std::vector<Vec3>> away(corners.size());
  for (const TriangleId id : triangles_) {
    const Vec3 n = outward(id);
    for (const std::uint32_t edge : core_.topology().edgesOf(id)) {
      if (edge == MeshTopology::noEdge) continue;
      const MeshTopology::Edge& e = core_.topology().edges()[edge];
      for (const auto& [from, to] : {std::pair(e.low, e.high), std::pair(e.high, e.low)}) {
        const auto at = std::lower_bound(corners.begin(), corners.end(), from);
        if (at == corners.end() || *at != from) continue;
        std::vector<Vec3>& directions = away[static_cast<std::size_t>(at - corners.begin())];
        directions.push_back(
            normalized(toVec3(core_.mesh().points()[to]) - toVec3(core_.mesh().points()[from])));
        if (norm(n) > 0) directions.push_back(n);
      }
    }
  }
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (ended()) return;
    // A corner is nearest to points in directions that lead away from all that is outside the body.
    const std::vector<Vec3> cone = rimOfCone(away[i]);
    if (cone.size() < 3) continue;
    const Vec3 from = toVec3(core_.mesh().points()[corners[i]]);
    Vec3 middle;
    for (const Vec3& d : cone) middle = middle + d;
    if (!(norm(middle) > 0)) middle = cone[0];
    middle = normalized(middle);
    for (std::size_t k = 0; k < cone.size(); ++k)
      searchDirections(from, {middle, cone[k], cone[(k + 1) % cone.size()]}, away[i]);
  }
}

/// Searches the part of a sphere round a corner between three directions.
void CoreSearch::searchDirections(const Vec3& corner, const std::array<Vec3, 3>& d,
                                  const std::vector<Vec3>& away) {
  if (ended()) return;
  if (std::ranges::none_of(d, [&](const Vec3& in) { return leadsAhead(-in); })) return;
  Vec3 middle = d[0] + d[1] + d[2];
  if (!(norm(middle) > 0) || !(norm(cross(d[1] - d[0], d[2] - d[0])) > 0)) return;
  middle = normalized(middle);
  const double cosine = std::min({dot(middle, d[0]), dot(middle, d[1]), dot(middle, d[2])});
  // No point of the flat piece is nearer to the corner than that share of its own corners.
  if (cosine >= goal_.least / goal_.most) {
    search(ConvexPolygon::of(corner + d[0] * goal_.most, corner + d[1] * goal_.most,
                             corner + d[2] * goal_.most));
    return;
  }
  if (cosine > 0) {
    const double sine = std::sqrt(1 - cosine * cosine);
    if (std::ranges::any_of(away, [&](const Vec3& out) { return dot(middle, out) > sine; })) return;
    const Vec3 p = corner + middle * goal_.most;
    const double radius = std::sqrt(2 - 2 * cosine) * goal_.most;
    ++result_.pieces;
    if (const auto nearest = onCore_.closest(p, goal_.least, hint_);
        nearest && nearest->distance + radius < goal_.least)
      return;
    if (!inAround_.closest(aroundFromCore_.apply(p), radius) && !isInsideAround(p)) return;
  }
  std::size_t k = 0;
  for (const std::size_t i : {1, 2})
    if (norm(d[(i + 1) % 3] - d[i]) > norm(d[(k + 1) % 3] - d[k])) k = i;
  const Vec3 from = d[k], to = d[(k + 1) % 3], apex = d[(k + 2) % 3];
  if (!(norm(from + to) > 0)) return;
  const Vec3 half = normalized(from + to);
  searchDirections(corner, {from, half, apex}, away);
  searchDirections(corner, {half, to, apex}, away);
}

void CoreSearch::search(const ConvexPolygon& whole) {
  open_.assign(1, whole);
  while (!open_.empty() && !ended()) {
    const ConvexPolygon piece = open_.back();
    open_.pop_back();
    examine(piece);
  }
}

void CoreSearch::examine(const ConvexPolygon& piece) {
  if (piece.count < 3) return;
  ++result_.pieces;
  Box box;
  for (std::size_t i = 0; i < piece.count; ++i) box.extend(piece.p[i]);
  if (!box.overlaps(common_)) return;
  const Vec3 middle = piece.middle();
  double radius = 0;
  for (std::size_t i = 0; i < piece.count; ++i) radius = std::max(radius, norm(piece.p[i] - middle));
  const auto nearest = onCore_.closest(middle, goal_.least, hint_);
  std::optional<Triangle> facing;
  if (nearest) {
    hint_ = nearest->triangle;
    if (nearest->distance + radius < goal_.least) return;
    facing = onCore_.mesh().triangle(nearest->triangle);
    bool allNear = true;
    for (std::size_t i = 0; i < piece.count && allNear; ++i)
      allNear = distancePointTriangle(piece.p[i], *facing).distance < goal_.least;
    if (allNear) return;
  }
  const bool inside = isInsideAround(middle);
  if (!inside && !meets(inAround_, aroundFromCore_, piece)) return;
  if (!nearest && inside && (result_.found = at(middle, goal_.notDeeper))) return;
  // Behind a thin wall, or round an edge of several shells, offsets are outside the body.
  if (inside && !isInside(inCore_, core_, middle) &&
      ((!nearest && radius < goal_.least) || !meets(inCore_, Transform{}, piece)))
    return;
  if (radius < (goal_.least - goal_.notDeeper) / 4) return;
  // Cuts may add corners.
  if (piece.count > ConvexPolygon::most / 2) {
    piece.visitFan([&](const ConvexPolygon& triangle) { open_.push_back(triangle); });
    return;
  }
  if (facing && cutBehind(*facing, piece)) return;
  for (std::size_t i = 0; i < piece.count && !facing; ++i)
    if (const auto at = onCore_.closest(piece.p[i], goal_.least, hint_))
      if (cutBehind(onCore_.mesh().triangle(at->triangle), piece)) return;
  const auto [one, other] = piece.halved();
  open_.push_back(one);
  open_.push_back(other);
}

/// Cuts a piece along the plane that is nearly as deep as `least` behind a triangle, or else along the sides
/// of the prism over it. A part that lies over the triangle and less deep than `least` is then dropped.
bool CoreSearch::cutBehind(const Triangle& facing, const ConvexPolygon& piece) {
  const Vec3 n = cross(facing.v[1] - facing.v[0], facing.v[2] - facing.v[0]);
  if (!(norm(n) > 0)) return false;
  const double finest = (goal_.least - goal_.notDeeper) / 8;
  Vec3 in = normalized(n);
  if (dot(in, piece.middle() - facing.v[0]) < 0) in = in * -1.0;
  const auto cut = [&](const Vec3& at, const Vec3& normal) {
    std::array<double, ConvexPolygon::most> above{};
    double lowest = 0, highest = 0;
    for (std::size_t i = 0; i < piece.count; ++i) {
      above[i] = dot(normal, piece.p[i] - at);
      lowest = std::min(lowest, above[i]);
      highest = std::max(highest, above[i]);
    }
    if (!(lowest < -finest && highest > finest)) return false;
    const auto [one, other] = piece.cut(above);
    open_.push_back(other);
    open_.push_back(one);
    return true;
  };
  if (cut(facing.v[0] + in * (goal_.least - finest), in)) return true;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 side = cross(n, facing.v[(k + 1) % 3] - facing.v[k]);
    if (norm(side) > 0 && cut(facing.v[k], normalized(side))) return true;
  }
  return false;
}

bool CoreSearch::isInside(PointQuery& query, const SolidModel& body, const Vec3& p) const {
  const PointSide side = query.side(p, body.watertightness());
  return side == PointSide::inside || (side == PointSide::unknown && goal_.unknownIsInside);
}

bool CoreSearch::isInsideAround(const Vec3& p) {
  return isInside(inAround_, around_, aroundFromCore_.apply(p));
}

std::optional<CorePoint> CoreSearch::at(const Vec3& p, double least) {
  if (onCore_.closest(p, least, hint_)) return std::nullopt;
  if (!isInsideAround(p) || !isInside(inCore_, core_, p)) return std::nullopt;
  const auto nearest = onCore_.closest(p);
  if (!nearest || !(nearest->distance > least)) return std::nullopt;
  return CorePoint{p, nearest->point, nearest->distance};
}

CorePoint CoreSearch::climb(const CorePoint& from, const Stop& stop) {
  CorePoint best = from;
  hint_.reset();
  // Straight away from the surface first, then along axes and diagonals, by halved steps if none leads up.
  const Vec3 in = normalized(best.point - best.nearest);
  for (double way = best.depth; way > best.depth / 64; way /= 2)
    if (const auto found = at(best.point + way * in, best.depth)) best = *found;
  unsigned moves = 0;
  for (double step = best.depth; step > best.depth / 1024 && moves < 256;) {
    if (stop && stop()) break;
    std::optional<CorePoint> better;
    for (int x : {-1, 0, 1})
      for (int y : {-1, 0, 1})
        for (int z : {-1, 0, 1}) {
          if (x == 0 && y == 0 && z == 0) continue;
          const Vec3 p = best.point + normalized(Vec3{double(x), double(y), double(z)}) * step;
          if (const auto found = at(p, better ? better->depth : best.depth * (1 + 1.0 / 4096)))
            better = found;
        }
    if (better) {
      best = *better;
      ++moves;
    } else {
      step /= 2;
    }
  }
  return best;
}

EnclosedCore deepestCore(const BodyPair& pair, double notDeeper, bool unknownIsInside,
                         const CoreAccuracy& first, const std::function<CoreAccuracy(double)>& accuracyOf,
                         const CoreSearch::Stop& stop) {
  const Transform &aFromB = pair.frame.placement.aFromB, &bFromA = pair.frame.placement.bFromA;
  std::array<CoreSearch, 2> searches{CoreSearch(*pair.a->solid, *pair.b->solid, bFromA),
                                     CoreSearch(*pair.b->solid, *pair.a->solid, aFromB)};
  // Of open bodies, a search for what is certain finds some of it; one for what may be looks at everything.
  const bool isThorough = unknownIsInside || (pair.a->solid->watertightness().closed() &&
                                              pair.b->solid->watertightness().closed());
  EnclosedCore result;
  CoreSearch::Goal goal;
  goal.unknownIsInside = unknownIsInside;
  const auto aimAbove = [&](double depth, const CoreAccuracy& accuracy) {
    result.upper = goal.notDeeper = depth;
    goal.least = depth + accuracy.gap;
    goal.most = goal.least + accuracy.band;
  };
  aimAbove(notDeeper, first);
  for (int side = 0; side < 2; ++side) {
    CoreSearch& search = searches[static_cast<std::size_t>(side)];
    goal.maxPieces =
        isThorough ? std::max(leastPieces, piecesPerTriangle * pair.body(side).solid->mesh().triangleCount())
                   : piecesOfOpen;
    const CoreResult core = search.find(goal, stop);
    result.pieces += core.pieces;
    result.limited = result.limited || (isThorough && core.limited);
    result.stopped = result.stopped || core.stopped;
    result.upper = std::max(result.upper, core.upper);
    if (!core.found) continue;
    result.found = search.climb(*core.found, stop);
    result.coreOf = side;
    if (!accuracyOf) break;
    aimAbove(result.found->depth, accuracyOf(result.found->depth));
    side = -1;  // both again
  }
  if (result.limited || result.stopped || (result.found && !accuracyOf))
    result.upper = std::numeric_limits<double>::infinity();
  return result;
}

}  // namespace fitup::detail
