#include <fitup/motion/detail/checked_body.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace fitup::detail {
namespace {

Vec3 nearestOnSegment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 way = b - a;
  const double squared = dot(way, way);
  return squared > 0 ? a + way * std::clamp(dot(p - a, way) / squared, 0.0, 1.0) : a;
}

PointPair pairOf(const Vec3& a, const Vec3& b) { return {norm(b - a), a, b}; }

void keepNearer(PointPair& best, const PointPair& other) {
  if (other.distance < best.distance) best = other;
}

PointPair nearestOfSegments(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const Vec3 u = a1 - a0, v = b1 - b0, w = a0 - b0;
  const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), det = uu * vv - uv * uv;
  PointPair best = pairOf(a0, nearestOnSegment(a0, b0, b1));
  keepNearer(best, pairOf(a1, nearestOnSegment(a1, b0, b1)));
  keepNearer(best, pairOf(nearestOnSegment(b0, a0, a1), b0));
  keepNearer(best, pairOf(nearestOnSegment(b1, a0, a1), b1));
  if (!(det > 1e-20 * uu * vv)) return best;
  const double s = (uv * dot(v, w) - vv * dot(u, w)) / det, t = (uu * dot(v, w) - uv * dot(u, w)) / det;
  if (s >= 0 && s <= 1 && t >= 0 && t <= 1) keepNearer(best, pairOf(a0 + u * s, b0 + v * t));
  return best;
}

Vec3 areaNormal(const Corners& t) { return cross(t[1] - t[0], t[2] - t[0]); }

/// The point of the triangle below `p`, if there is one. A combination of the corners, so that it is a point
/// of the triangle whatever the rounding.
std::optional<Vec3> below(const Vec3& p, const Corners& t) {
  const Vec3 n = areaNormal(t);
  std::array<double, 3> weights{};
  for (std::size_t k = 0; k < 3; ++k) {
    weights[(k + 2) % 3] = dot(cross(t[(k + 1) % 3] - t[k], p - t[k]), n);
    if (!(weights[(k + 2) % 3] >= 0)) return std::nullopt;
  }
  const double sum = weights[0] + weights[1] + weights[2];
  if (!(sum > 0)) return std::nullopt;
  return (t[0] * weights[0] + t[1] * weights[1] + t[2] * weights[2]) * (1 / sum);
}

/// Where the segment crosses the triangle, if it does.
std::optional<Vec3> crossing(const Vec3& p, const Vec3& q, const Corners& t) {
  const Vec3 n = areaNormal(t);
  const double from = dot(n, p - t[0]), to = dot(n, q - t[0]);
  if (from == to || (from > 0 && to > 0) || (from < 0 && to < 0)) return std::nullopt;
  const Vec3 x = p + (q - p) * (from / (from - to));
  const std::optional<Vec3> y = below(x, t);
  // The plane of a sliver is uncertain.
  return y && norm(*y - x) <= 1e-10 * (norm(q - p) + norm(t[1] - t[0]) + norm(t[2] - t[0])) ? y
                                                                                            : std::nullopt;
}

double pointGap(const Vec3& p, const CheckedBody::Node& node) {
  Vec3 off;
  for (int k = 0; k < 3; ++k) off[k] = std::max(0.0, std::abs(p[k] - node.centre[k]) - node.half[k]);
  return norm(off);
}

double boxGap(const CheckedBody::Node& a, const CheckedBody::Node& b) {
  Vec3 off;
  for (int k = 0; k < 3; ++k)
    off[k] = std::max(0.0, std::abs(a.centre[k] - b.centre[k]) - a.half[k] - b.half[k]);
  return norm(off);
}

}  // namespace

Vec3 nearestOnTriangle(const Vec3& p, const Corners& t) {
  const Vec3 n = areaNormal(t), u = t[1] - t[0], v = t[2] - t[0];
  PointPair best;
  if (const auto x = below(p, t)) {
    // In a sliver it may be off the nearest point.
    if (dot(n, n) > 1e-16 * dot(u, u) * dot(v, v)) return *x;
    best = pairOf(p, *x);
  }
  for (std::size_t k = 0; k < 3; ++k) keepNearer(best, pairOf(p, nearestOnSegment(p, t[k], t[(k + 1) % 3])));
  return best.b;
}

PointPair nearestOfTriangles(const Corners& a, const Corners& b) {
  PointPair best;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t next = (i + 1) % 3;
    if (const auto x = crossing(a[i], a[next], b)) return {0, *x, *x};
    if (const auto x = crossing(b[i], b[next], a)) return {0, *x, *x};
    keepNearer(best, pairOf(a[i], nearestOnTriangle(a[i], b)));
    keepNearer(best, pairOf(nearestOnTriangle(b[i], a), b[i]));
    for (std::size_t k = 0; k < 3; ++k)
      keepNearer(best, nearestOfSegments(a[i], a[next], b[k], b[(k + 1) % 3]));
  }
  return best;
}

CheckedBody::CheckedBody(const TriangleMesh& mesh, const Transform& frameFromPart) {
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i)
    points.push_back(frameFromPart.apply(mesh.pointInPart(i)));
  for (const TriangleIndices& t : mesh.triangles())
    triangles_.push_back({points[t[0]], points[t[1]], points[t[2]]});
  if (triangles_.empty()) return;
  nodes_.reserve(2 * triangles_.size());
  std::vector<std::uint32_t> ids(triangles_.size());
  std::iota(ids.begin(), ids.end(), 0U);
  build(ids);
  weld(mesh);
  findShells();
}

std::uint32_t CheckedBody::build(std::span<std::uint32_t> ids) {
  Box box, centroids;
  const auto centroid = [&](std::uint32_t id) {
    return triangles_[id][0] + triangles_[id][1] + triangles_[id][2];
  };
  for (const std::uint32_t id : ids) {
    for (const Vec3& p : triangles_[id]) box.extend(p);
    centroids.extend(centroid(id));
  }
  const auto at = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({box.centre(), box.halfExtent(), 0, ids.front(), static_cast<std::uint32_t>(ids.size())});
  if (ids.size() == 1) return at;
  const Vec3 size = centroids.max - centroids.min;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto middle = static_cast<std::ptrdiff_t>(ids.size() / 2);
  std::nth_element(ids.begin(), ids.begin() + middle, ids.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double x = centroid(a)[axis], y = centroid(b)[axis];
    return x < y || (x == y && a < b);
  });
  const std::uint32_t left = build(ids.first(static_cast<std::size_t>(middle)));
  const std::uint32_t right = build(ids.subspan(static_cast<std::size_t>(middle)));
  nodes_[at].left = left;
  nodes_[at].rightOrId = right;
  return at;
}

std::vector<std::uint32_t> CheckedBody::trianglesIn(std::uint32_t node) const {
  std::vector<std::uint32_t> found, open{node};
  while (!open.empty()) {
    const Node& at = nodes_[open.back()];
    open.pop_back();
    if (at.isLeaf())
      found.push_back(at.rightOrId);
    else
      open.insert(open.end(), {at.left, at.rightOrId});
  }
  return found;
}

void CheckedBody::weld(const TriangleMesh& mesh) {
  const auto points = mesh.points();
  pointCount_ = points.size();
  std::vector<std::uint32_t> order(points.size()), welded(points.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t i) { return std::tuple(points[i].x, points[i].y, points[i].z); };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < order.size(); ++i)
    welded[order[i]] = i > 0 && key(order[i]) == key(order[i - 1]) ? welded[order[i - 1]] : order[i];
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    const TriangleIndices& ids = mesh.triangles()[t];
    corners_.push_back({welded[ids[0]], welded[ids[1]], welded[ids[2]]});
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t from = corners_[t][k], to = welded[ids[(k + 1) % 3]];
      if (from != to) edges_.push_back({std::min(from, to), std::max(from, to), t, from < to});
    }
  }
  std::sort(edges_.begin(), edges_.end());
  isClosed_ = true;
  for (std::size_t i = 0; i < edges_.size();) {
    int excess = 0;
    std::size_t end = i;
    for (; end < edges_.size() && edges_[end].low == edges_[i].low && edges_[end].high == edges_[i].high;
         ++end)
      excess += edges_[end].isForward ? 1 : -1;
    isClosed_ = isClosed_ && excess == 0;
    i = end;
  }
}

void CheckedBody::findShells() {
  std::vector<std::uint32_t> root(triangles_.size());
  std::iota(root.begin(), root.end(), 0U);
  const auto find = [&](std::uint32_t t) {
    while (root[t] != t) t = root[t] = root[root[t]];
    return t;
  };
  for (std::size_t i = 1; i < edges_.size(); ++i)
    if (edges_[i].low == edges_[i - 1].low && edges_[i].high == edges_[i - 1].high)
      root[find(edges_[i].triangle)] = find(edges_[i - 1].triangle);
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    shellOf_.push_back(find(t));
    if (shellOf_.back() == t) shellCorners_.push_back(triangles_[t][0]);
  }
}

CheckedBody::Nearest CheckedBody::nearest(const Vec3& p, double within) const {
  Nearest best;
  best.distance = within;
  std::vector<std::pair<double, std::uint32_t>> open;
  if (!nodes_.empty()) open.emplace_back(pointGap(p, nodes_[0]), 0U);
  bool isFound = false;
  while (!open.empty()) {
    const auto [least, id] = open.back();
    open.pop_back();
    if (least > best.distance) continue;
    const Node& node = nodes_[id];
    if (node.isLeaf()) {
      const Vec3 x = nearestOnTriangle(p, triangles_[node.rightOrId]);
      const double d = norm(x - p);
      if (d < best.distance || (!isFound && d <= best.distance)) best = {d, node.rightOrId, x};
      isFound = isFound || d <= best.distance;
      continue;
    }
    const double left = pointGap(p, nodes_[node.left]), right = pointGap(p, nodes_[node.rightOrId]);
    if (left < right) {
      open.emplace_back(right, node.rightOrId);
      open.emplace_back(left, node.left);
    } else {
      open.emplace_back(left, node.left);
      open.emplace_back(right, node.rightOrId);
    }
  }
  if (!isFound) best.distance = std::numeric_limits<double>::infinity();
  return best;
}

std::optional<bool> CheckedBody::contains(const Vec3& p) const {
  if (nodes_.empty() || pointGap(p, nodes_[0]) > 0) return false;
  // In directions along which no edges of ordinary parts run.
  constexpr std::array<Vec3, 8> ways{{{0.8017, 0.4472, 0.3967},
                                      {-0.3711, 0.8529, 0.3667},
                                      {0.2913, -0.3779, 0.8788},
                                      {-0.6913, -0.2971, 0.6587},
                                      {0.1237, 0.6871, -0.7160},
                                      {-0.9121, 0.1713, -0.3724},
                                      {0.4519, -0.7937, -0.4071},
                                      {0.0511, 0.0733, 0.9960}}};
  std::array<int, 2> votes{};
  std::vector<std::uint32_t> open;
  for (const Vec3& way : ways) {
    std::size_t crossings = 0;
    bool isClear = true;
    open.assign(1, 0U);
    while (!open.empty() && isClear) {
      const Node& node = nodes_[open.back()];
      open.pop_back();
      // Boxes are widened by far more than the rounding of these planes.
      double from = 0, to = std::numeric_limits<double>::infinity();
      for (int k = 0; k < 3; ++k) {
        const double c = node.centre[k] - p[k], h = node.half[k] * (1 + 1e-9) + 1e-12 * std::abs(c);
        const double x = (c - h) / way[k], y = (c + h) / way[k];
        from = std::max(from, std::min(x, y));
        to = std::min(to, std::max(x, y));
      }
      if (from > to) continue;
      if (!node.isLeaf()) {
        open.push_back(node.left);
        open.push_back(node.rightOrId);
        continue;
      }
      const Corners& t = triangles_[node.rightOrId];
      const Vec3 n = areaNormal(t);
      const double slope = dot(n, way), length = norm(n);
      if (!(length > 0)) continue;  // its edges are those of others
      if (std::abs(slope) <= 1e-9 * length) {
        isClear = false;
        continue;
      }
      const double at = dot(n, t[0] - p) / slope;
      const Vec3 x = p + way * at;
      // Positions relative to the edges, as shares of the triangle.
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < 3; ++k)
        least = std::min(least, dot(cross(t[(k + 1) % 3] - t[k], x - t[k]), n) / (length * length));
      if (least < -1e-7 || at < 0) continue;
      isClear = least > 1e-7;
      ++crossings;
    }
    if (!isClear) continue;
    if (++votes[crossings % 2] == 2) return crossings % 2 == 1;
  }
  return std::nullopt;
}

template <typename Visit>
bool CheckedBody::forNeighbours(double width, const Visit& visit) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0U, 0U}};
  while (!open.empty()) {
    const auto [i, k] = open.back();
    open.pop_back();
    const Node &a = nodes_[i], &b = nodes_[k];
    if (i == k) {
      if (a.isLeaf()) continue;
      open.insert(open.end(), {{a.left, a.left}, {a.rightOrId, a.rightOrId}, {a.left, a.rightOrId}});
      continue;
    }
    if (boxGap(a, b) > width) continue;
    if (a.isLeaf() && b.isLeaf()) {
      if (!visit(a.rightOrId, b.rightOrId)) return false;
    } else if (b.isLeaf() || (!a.isLeaf() && norm(a.half) > norm(b.half))) {
      open.insert(open.end(), {{a.left, k}, {a.rightOrId, k}});
    } else {
      open.insert(open.end(), {{i, b.left}, {i, b.rightOrId}});
    }
  }
  return true;
}

bool CheckedBody::meets(std::uint32_t a, std::uint32_t b) const {
  const Corners &ta = triangles_[a], &tb = triangles_[b];
  const Vec3 na = areaNormal(ta), nb = areaNormal(tb);
  if (!(norm(na) > 0) || !(norm(nb) > 0)) return false;  // lies in edges of others
  std::vector<std::size_t> ofA, ofB;                     // shared corners
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      if (corners_[a][i] == corners_[b][k]) {
        ofA.push_back(i);
        ofB.push_back(k);
      }
  if (ofA.empty()) return !(nearestOfTriangles(ta, tb).distance > 0);
  if (ofA.size() == 1) {
    // Two triangles with one common corner can only meet elsewhere if the edge opposite to it does.
    const auto crosses = [](const Corners& t, std::size_t shared, const Corners& other) {
      return crossing(t[(shared + 1) % 3], t[(shared + 2) % 3], other).has_value();
    };
    return crosses(ta, ofA[0], tb) || crosses(tb, ofB[0], ta);
  }
  if (ofA.size() == 3) return true;
  // A common edge: they overlap if folded flat.
  const Vec3 &p = ta[3 - ofA[0] - ofA[1]], &q = tb[3 - ofB[0] - ofB[1]];
  const Vec3 from = ta[ofA[0]], edge = ta[ofA[1]] - from;
  const Vec3 up = cross(edge, p - from), other = cross(edge, q - from);
  return dot(up, other) > 0 && norm(cross(up, other)) <= 1e-12 * norm(up) * norm(other);
}

bool CheckedBody::crossesItself() const {
  return !forNeighbours(0, [&](std::uint32_t a, std::uint32_t b) { return !meets(a, b); });
}

bool CheckedBody::isSolid() const {
  if (!isSolid_) isSolid_ = isClosed_ && !nodes_.empty() && !crossesItself();
  return *isSolid_;
}

const std::vector<Vec3>& CheckedBody::outwardNormals() const {
  if (!normals_.empty() || !isSolid()) return normals_;
  std::vector<double> largest(triangles_.size(), 0), sense(triangles_.size(), 0);
  std::vector<std::uint32_t> best(triangles_.size(), 0);
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    const Vec3 n = areaNormal(triangles_[t]);
    const double area = norm(n);
    normals_.push_back(area > 0 ? n * (1 / area) : Vec3{});
    if (area > largest[shellOf_[t]]) {
      largest[shellOf_[t]] = area;
      best[shellOf_[t]] = t;
    }
  }
  // The triangles of a shell agree, because each edge is used equally often in both directions. Which way
  // they point is looked up just beside the largest one.
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    const std::uint32_t shell = shellOf_[t];
    if (sense[shell] == 0) {
      sense[shell] = 1;
      const Corners& c = triangles_[best[shell]];
      const double off = 1e-4 * std::sqrt(largest[shell]);
      const Vec3 middle = (c[0] + c[1] + c[2]) * (1.0 / 3);
      if (contains(middle + normals_[best[shell]] * off).value_or(false)) sense[shell] = -1;
    }
  }
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) normals_[t] = normals_[t] * sense[shellOf_[t]];
  return normals_;
}

int CheckedBody::senseOfEdge(std::uint32_t a, std::uint32_t b) const {
  const std::vector<Vec3>& normals = outwardNormals();
  // The corner of b that is farthest from the plane of a is below it if the edge is convex.
  double height = 0, size = 0;
  for (const Vec3& p : triangles_[b]) {
    const double h = dot(normals[a], p - triangles_[a][0]);
    if (std::abs(h) > std::abs(height)) height = h;
    size = std::max(size, norm(p - triangles_[a][0]));
  }
  return height > 1e-9 * size ? -1 : 1;
}

template <typename Visit>
void CheckedBody::forEdges(const Visit& visit) const {
  for (std::size_t i = 0; i < edges_.size(); ++i)
    for (std::size_t k = i + 1;
         k < edges_.size() && edges_[k].low == edges_[i].low && edges_[k].high == edges_[i].high; ++k)
      visit(edges_[i], edges_[k]);
}

const std::vector<Vec3>& CheckedBody::mainNormals() const {
  if (!mainNormals_.empty() || outwardNormals().empty()) return mainNormals_;
  // The area of triangles whose normals are alike to four digits.
  std::map<std::array<long, 3>, std::pair<double, Vec3>> areas;
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    const Vec3& n = normals_[t];
    auto& [area, normal] = areas[{std::lround(1e4 * n.x), std::lround(1e4 * n.y), std::lround(1e4 * n.z)}];
    area += norm(areaNormal(triangles_[t]));
    normal = n;
  }
  std::vector<std::pair<double, Vec3>> order;
  order.reserve(areas.size());
  for (const auto& [key, value] : areas) order.push_back(value);
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [area, normal] : order)
    if (mainNormals_.size() < 6 && normal != Vec3{}) mainNormals_.push_back(normal);
  return mainNormals_;
}

const std::vector<CheckedBody::ReentrantEdge>& CheckedBody::reentrantEdges() const {
  if (reentrantEdges_) return *reentrantEdges_;
  const std::vector<Vec3>& normals = outwardNormals();
  std::vector<ReentrantEdge>& found = reentrantEdges_.emplace();
  forEdges([&](const EdgeUse& use, const EdgeUse& other) {
    if (senseOfEdge(use.triangle, other.triangle) > 0) return;
    ReentrantEdge edge{{}, {}, normals[use.triangle], normals[other.triangle]};
    for (std::size_t k = 0; k < 3; ++k) {
      if (corners_[use.triangle][k] == use.low) edge.from = triangles_[use.triangle][k];
      if (corners_[use.triangle][k] == use.high) edge.to = triangles_[use.triangle][k];
    }
    found.push_back(edge);
  });
  return found;
}

bool CheckedBody::mayHaveWallThinnerThan(double width) const {
  if (thinWalls_ && thinWalls_->first == width) return thinWalls_->second;
  if (!isSolid()) return true;
  // A point of the middle has two nearest boundary points x and y, at most `width` apart, in unit directions
  // u and v with u.v <= -1/2. A nearest point in a face lies in the direction of its outward normal. None
  // lies on a convex edge. At a re-entrant edge or corner the direction is a positive combination of the
  // normals there, so some two normals of the two places then have a negative product; the small negative
  // bound below covers combinations of up to three normals that do not face away from each other themselves.
  // In faces, moreover, x lies ahead of y in direction u, and y ahead of x in direction v.
  const std::vector<Vec3>& normals = outwardNormals();
  std::vector<char> isReentrant(pointCount_, 0);
  forEdges([&](const EdgeUse& use, const EdgeUse& other) {
    const bool isUnknown = normals[use.triangle] == Vec3{} || normals[other.triangle] == Vec3{};
    if (isUnknown || senseOfEdge(use.triangle, other.triangle) < 0)
      isReentrant[use.low] = isReentrant[use.high] = 1;
  });
  const auto touchesReentrant = [&](std::uint32_t t) {
    return std::ranges::any_of(corners_[t], [&](std::uint32_t c) { return isReentrant[c] != 0; });
  };
  const auto isAhead = [&](std::uint32_t a, std::uint32_t b) {
    for (const Vec3& p : triangles_[a])
      for (const Vec3& q : triangles_[b])
        if (dot(normals[a], p - q) > 0) return true;
    return false;
  };
  std::size_t left = 20'000'000;
  const bool mayHave = !forNeighbours(width, [&](std::uint32_t a, std::uint32_t b) {
    if (--left == 0) return false;
    const double product = dot(normals[a], normals[b]);
    if (touchesReentrant(a) || touchesReentrant(b)) {
      if (product >= -0.01) return true;
    } else if (product > -0.499 || !isAhead(a, b) || !isAhead(b, a)) {
      return true;
    }
    return nearestOfTriangles(triangles_[a], triangles_[b]).distance > width * (1 + 1e-9);
  });
  thinWalls_ = {width, mayHave};
  return mayHave;
}

}  // namespace fitup::detail
