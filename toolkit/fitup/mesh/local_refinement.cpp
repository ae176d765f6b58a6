#include <fitup/mesh/local_refinement.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/mesh/detail/store_points.h>

namespace fitup {
namespace {

/// Edges get a part of the chord error, because triangles bend more in the middle than at their edges.
constexpr double shareOfEdges = 0.7;
/// A triangle that turned over is harmless if it is no higher than this part of the chord error.
constexpr double harmlessShare = 0.1;

struct Piece {
  std::array<std::uint32_t, 3> corners;
  std::uint32_t surface, source;
  bool isChosen;  ///< one of the triangles to refine, or a part of one
};

/// The triangles at one edge of the pieces.
struct EdgeUses {
  std::uint32_t low, high;
  std::span<const std::pair<std::uint64_t, std::uint32_t>> uses;  ///< key, piece

  [[nodiscard]] std::uint32_t piece(std::size_t i) const { return uses[i].second; }
};

std::uint64_t keyOf(std::uint32_t p, std::uint32_t q) {
  const auto [low, high] = std::minmax(p, q);
  return (static_cast<std::uint64_t>(low) << 32U) | high;
}

std::uint32_t lowOf(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32U); }
std::uint32_t highOf(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

class LocalRefiner {
 public:
  LocalRefiner(const TriangleMesh& mesh, const MeshTopology& topology, const ChordErrors& errors,
               double chordError, std::size_t mostTriangles, const WorkMeter& meter)
      : mesh_(mesh),
        topology_(topology),
        errors_(errors),
        target_(chordError),
        mostTriangles_(mostTriangles),
        meter_(meter) {}

  std::shared_ptr<const TriangleMesh> run(std::span<const TriangleId> triangles) {
    choose(triangles);
    findSides();
    findUses();
    // Level by level, so that edges between faces and those inside of them are divided alike.
    level_ = std::numeric_limits<double>::infinity();
    for (double worst = worstEdge(); level_ > target_;) {
      level_ = std::max(target_, 0.25 * worst / shareOfEdges);
      worst = shareOfEdges * level_;
      refineToLevel();
    }
    if (!isChanged_ || hasTurned()) return nullptr;
    return mesh();
  }

 private:
  void refineToLevel() {
    constexpr int mostRounds = 200, mostOfBent = 8;
    for (int round = 0, ofBent = 0; round < mostRounds; ++round) {
      meter_.poll();
      findUses();
      if (const auto marked = edgesOver(true); !marked.empty() && divide(marked)) {
        turnBack();
        continue;
      }
      if (flip([&](const EdgeUses& edge, std::uint32_t p, std::uint32_t q) { return bendsLess(edge, p, q); }))
        continue;
      if (const auto marked = edgesOver(false); !marked.empty() && divide(marked)) continue;
      if (ofBent++ < mostOfBent)
        if (const auto marked = edgesOfBent(); !marked.empty() && divide(marked)) continue;
      break;
    }
  }

  // Positions are those of the part frame; new points are numbered after those of the mesh.
  [[nodiscard]] Vec3 at(std::uint32_t point) const {
    const std::size_t old = mesh_.points().size();
    return point < old ? mesh_.pointInPart(point) : newPoints_[point - old];
  }
  [[nodiscard]] Triangle triangle(const std::array<std::uint32_t, 3>& corners) const {
    return {{at(corners[0]), at(corners[1]), at(corners[2])}};
  }
  [[nodiscard]] const AnalyticSurface* surface(std::uint32_t number) const {
    return errors_.analytic(SurfaceId(number));
  }
  static Vec3 normalOf(const Triangle& t) { return cross(t.v[1] - t.v[0], t.v[2] - t.v[0]); }

  /// Takes the triangles and those that share an edge with them.
  void choose(std::span<const TriangleId> triangles) {
    isTaken_.assign(mesh_.triangleCount(), false);
    const auto take = [&](TriangleId id, bool isChosen) {
      if (isTaken_[index(id)]) return;
      isTaken_[index(id)] = true;
      Piece piece{mesh_.triangles()[index(id)], static_cast<std::uint32_t>(index(mesh_.surfaceOf(id))),
                  mesh_.sourceTriangle(id), isChosen};
      for (std::uint32_t& corner : piece.corners) corner = topology_.welded(corner);
      if (piece.corners[0] != piece.corners[1] && piece.corners[1] != piece.corners[2] &&
          piece.corners[2] != piece.corners[0])
        pieces_.push_back(piece);
    };
    for (const TriangleId id : triangles) take(id, true);
    for (const TriangleId id : triangles)
      for (const std::uint32_t edge : topology_.edgesOf(id))
        if (edge != MeshTopology::noEdge)
          for (const MeshTopology::Use& use : topology_.uses(topology_.edges()[edge]))
            take(TriangleId{use.triangle}, false);
  }

  /// On which side of their surfaces the triangles face.
  void findSides() {
    sides_.assign(mesh_.surfaces().size(), 0);
    for (const Piece& piece : pieces_)
      if (const AnalyticSurface* on = surface(piece.surface)) {
        const Triangle t = triangle(piece.corners);
        sides_[piece.surface] += dot(normalOf(t), on->normal((1.0 / 3) * (t.v[0] + t.v[1] + t.v[2])));
      }
  }

  void findUses() {
    uses_.clear();
    for (std::uint32_t i = 0; i < pieces_.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        uses_.emplace_back(keyOf(pieces_[i].corners[k], pieces_[i].corners[(k + 1) % 3]), i);
    std::sort(uses_.begin(), uses_.end());
  }
  [[nodiscard]] EdgeUses usesOf(std::size_t first) const {
    std::size_t end = first;
    while (end < uses_.size() && uses_[end].first == uses_[first].first) ++end;
    return {lowOf(uses_[first].first), highOf(uses_[first].first),
            std::span(uses_).subspan(first, end - first)};
  }
  template <typename Function>
  void forEachEdge(const Function& function) const {
    for (std::size_t first = 0; first < uses_.size();) {
      const EdgeUses edge = usesOf(first);
      function(edge);
      first += edge.uses.size();
    }
  }
  [[nodiscard]] bool hasEdge(std::uint32_t p, std::uint32_t q) const {
    const std::pair<std::uint64_t, std::uint32_t> first(keyOf(p, q), 0);
    const auto found = std::lower_bound(uses_.begin(), uses_.end(), first);
    return found != uses_.end() && found->first == first.first;
  }

  /// The two surfaces at an edge, which may be the same; null where there are more, or one is unknown, or a
  /// border.
  [[nodiscard]] std::pair<const AnalyticSurface*, const AnalyticSurface*> surfacesAt(
      const EdgeUses& edge) const {
    std::uint32_t one = pieces_[edge.piece(0)].surface, other = one;
    for (std::size_t i = 0; i < edge.uses.size(); ++i) {
      const std::uint32_t here = pieces_[edge.piece(i)].surface;
      if (here != one && other != one && here != other) return {};
      if (here != one) other = here;
    }
    const AnalyticSurface *first = surface(one), *second = surface(other);
    if (first == nullptr || second == nullptr || edge.uses.size() < 2) return {};
    return {first, second};
  }

  [[nodiscard]] static bool isBetweenFaces(std::pair<const AnalyticSurface*, const AnalyticSurface*> pair) {
    return pair.first != pair.second;
  }

  /// How far the ends of an edge are off a surface, which no division mends.
  [[nodiscard]] static double offEnds(const AnalyticSurface& on, const Vec3& from, const Vec3& to) {
    return std::max(std::abs(on.distance(from)), std::abs(on.distance(to)));
  }

  /// How far an edge is farther off its surfaces than its ends are; 0 if it cannot be divided.
  [[nodiscard]] double errorOf(const EdgeUses& edge) {
    const auto [known, isNew] = edgeErrors_.try_emplace(edge.uses.front().first, 0.0);
    if (!isNew) return known->second;
    const auto [one, other] = surfacesAt(edge);
    if (one == nullptr) return 0;
    const Vec3 from = at(edge.low), to = at(edge.high);
    if (one == other) {
      const double error = one->deviation({{from, to, to}}) - offEnds(*one, from, to);
      return known->second = std::isfinite(error) ? error : 0;
    }
    Vec3 sideOne, sideOther;
    for (std::size_t i = 0; i < edge.uses.size(); ++i) {
      const Piece& piece = pieces_[edge.piece(i)];
      (surface(piece.surface) == one ? sideOne : sideOther) = normalOf(triangle(piece.corners));
    }
    const double error = ChordErrors::ofEdge(
        *one, *other, from, to, ChordErrors::cosineAt(*one, *other, 0.5 * (from + to), sideOne, sideOther));
    const double off = std::max(offEnds(*one, from, to), offEnds(*other, from, to));
    const Triangle both{{from, to, to}};
    const double whole = std::max(one->deviation(both), other->deviation(both));
    return known->second = std::isfinite(error) && whole > off ? error * (1 - off / whole) : 0;
  }

  [[nodiscard]] double worstEdge() {
    double worst = 0;
    forEachEdge([&](const EdgeUses& edge) {
      if (std::ranges::any_of(edge.uses, [&](const auto& use) { return pieces_[use.second].isChosen; }))
        worst = std::max(worst, errorOf(edge));
    });
    return worst;
  }

  [[nodiscard]] std::vector<std::uint64_t> edgesOver(bool betweenFaces) {
    std::vector<std::uint64_t> marked;
    forEachEdge([&](const EdgeUses& edge) {
      if (std::ranges::none_of(edge.uses, [&](const auto& use) { return pieces_[use.second].isChosen; }))
        return;
      if (errorOf(edge) > shareOfEdges * level_ && isBetweenFaces(surfacesAt(edge)) == betweenFaces)
        marked.push_back(edge.uses.front().first);
    });
    return marked;
  }

  /// Of chosen triangles that are still off although their edges are not, the edges that are off most.
  [[nodiscard]] std::vector<std::uint64_t> edgesOfBent() {
    std::vector<std::uint64_t> marked;
    for (const Piece& piece : pieces_) {
      const AnalyticSurface* on = surface(piece.surface);
      if (!piece.isChosen || on == nullptr) continue;
      const Triangle t = triangle(piece.corners);
      const double off = std::max(offEnds(*on, t.v[0], t.v[1]), offEnds(*on, t.v[2], t.v[2]));
      if (!(on->deviation(t) - off > level_)) continue;
      double most = 0;
      std::uint64_t worst = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint64_t key = keyOf(piece.corners[k], piece.corners[(k + 1) % 3]);
        const auto known = edgeErrors_.find(key);
        if (known == edgeErrors_.end() || !(known->second > most)) continue;
        most = known->second;
        worst = key;
      }
      // Below that, rounding is what is off.
      if (most > 0.1 * level_) marked.push_back(worst);
    }
    std::sort(marked.begin(), marked.end());
    marked.erase(std::unique(marked.begin(), marked.end()), marked.end());
    return marked;
  }

  /// A point on both surfaces, or on the one, near the middle of an edge; empty if none is found.
  [[nodiscard]] std::optional<Vec3> middle(const AnalyticSurface& one, const AnalyticSurface& other,
                                           const Vec3& from, const Vec3& to) const {
    const Vec3 start = 0.5 * (from + to);
    const double length = norm(to - from), enough = 1e-3 * target_;
    Vec3 p = start;
    for (int step = 0; step < 60; ++step) {
      const double d = one.distance(p), e = other.distance(p);
      if (std::max(std::abs(d), std::abs(e)) <= enough) break;
      const Vec3 n = one.normal(p), m = other.normal(p);
      const double c = dot(n, m), s = norm(cross(n, m));
      // Newton's way to both planes of tangents; where these are one, to their middle.
      Vec3 way =
          s > 1e-7 ? (1 / (s * s)) * ((c * e - d) * n + (c * d - e) * m) : -0.5 * (d + (c < 0 ? -e : e)) * n;
      if (const double far = norm(way); far > 0.5 * length) way = (0.5 * length / far) * way;
      p = p + way;
    }
    const double off = std::max(std::abs(one.distance(p)), std::abs(other.distance(p)));
    if (!(off <= harmlessShare * target_) || !(norm(p - start) <= 0.75 * length)) return std::nullopt;
    return p;
  }

  /// Divides edges and their triangles. Returns false if no middle was found.
  bool divide(const std::vector<std::uint64_t>& marked) {
    std::unordered_map<std::uint64_t, std::uint32_t> middles;
    for (const std::uint64_t key : marked) {
      const auto first = std::lower_bound(uses_.begin(), uses_.end(), std::pair(key, 0U));
      const EdgeUses edge = usesOf(static_cast<std::size_t>(first - uses_.begin()));
      const auto [one, other] = surfacesAt(edge);
      const auto point = middle(*one, *other, at(edge.low), at(edge.high));
      if (!point) {
        edgeErrors_[key] = 0;  // it remains as it is
        continue;
      }
      middles.emplace(key, static_cast<std::uint32_t>(mesh_.points().size() + newPoints_.size()));
      newPoints_.push_back(*point);
    }
    if (middles.empty()) return false;
    isChanged_ = true;
    const std::size_t before = pieces_.size();
    for (std::size_t i = 0; i < before; ++i) split(i, middles);
    if (mesh_.triangleCount() + pieces_.size() > mostTriangles_)
      throw RangeError("more than " + std::to_string(mostTriangles_) +
                       " triangles would be needed; a larger tolerance would decide it");
    return true;
  }

  void split(std::size_t number, const std::unordered_map<std::uint64_t, std::uint32_t>& middles) {
    constexpr std::uint32_t none = ~0U;
    std::array<std::uint32_t, 3> v = pieces_[number].corners, m{};
    int count = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto found = middles.find(keyOf(v[k], v[(k + 1) % 3]));
      m[k] = found == middles.end() ? none : found->second;
      count += m[k] != none;
    }
    if (count == 0) return;
    const auto turn = [&] {
      std::rotate(v.begin(), v.begin() + 1, v.end());
      std::rotate(m.begin(), m.begin() + 1, m.end());
    };
    const Piece piece = pieces_[number];
    bool isFirst = true;
    const auto add = [&](std::uint32_t p, std::uint32_t q, std::uint32_t r) {
      Piece part = piece;
      part.corners = {p, q, r};
      isFirst ? void(pieces_[number] = part) : pieces_.push_back(part);
      isFirst = false;
    };
    if (count == 3) {
      add(v[0], m[0], m[2]);
      add(m[0], v[1], m[1]);
      add(m[2], m[1], v[2]);
      add(m[0], m[1], m[2]);
    } else if (count == 1) {
      while (m[0] == none) turn();
      add(v[0], m[0], v[2]);
      add(m[0], v[1], v[2]);
    } else {
      while (m[2] != none) turn();
      add(m[0], v[1], m[1]);
      if (isBetter(piece.surface, v[0], m[1], m[0], v[2])) {
        add(v[0], m[0], m[1]);
        add(v[0], m[1], v[2]);
      } else {
        add(v[0], m[0], v[2]);
        add(m[0], m[1], v[2]);
      }
    }
  }
  /// True if the diagonal from p to q is nearer the surface than that from r to s or, if equally near,
  /// shorter.
  [[nodiscard]] bool isBetter(std::uint32_t number, std::uint32_t p, std::uint32_t q, std::uint32_t r,
                              std::uint32_t s) const {
    const Vec3 a = at(p), b = at(q), c = at(r), d = at(s);
    if (const AnalyticSurface* on = surface(number)) {
      const double first = on->deviation({{a, b, b}}), second = on->deviation({{c, d, d}});
      if (std::max(first, second) > shareOfEdges * level_) return first < second;
    }
    return norm(b - a) < norm(d - c);
  }

  /// The heights of two triangles over their longest edges, the lower one of both; negative if one faces the
  /// wrong way.
  [[nodiscard]] double lowest(const AnalyticSurface& on, std::uint32_t number,
                              std::initializer_list<std::array<std::uint32_t, 3>> both) const {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& corners : both) {
      const Triangle t = triangle(corners);
      const double facing = dot(normalOf(t), on.normal((1.0 / 3) * (t.v[0] + t.v[1] + t.v[2])));
      const double longest = std::max({norm(t.v[1] - t.v[0]), norm(t.v[2] - t.v[1]), norm(t.v[0] - t.v[2])});
      least = std::min(least, (sides_[number] < 0 ? -facing : facing) / longest);
    }
    return least;
  }

  /// Exchanges diagonals of pairs of triangles on one surface where `accept` says so of an edge and the two
  /// corners opposite to it, of its first and its second triangle.
  template <typename Accept>
  bool flip(const Accept& accept) {
    std::vector<bool> isDone(pieces_.size(), false);
    std::unordered_set<std::uint64_t> added;
    forEachEdge([&](const EdgeUses& edge) {
      if (edge.uses.size() != 2) return;
      const std::uint32_t first = edge.piece(0), second = edge.piece(1);
      Piece &one = pieces_[first], &other = pieces_[second];
      if (first == second || isDone[first] || isDone[second] || one.surface != other.surface ||
          surface(one.surface) == nullptr)
        return;
      const auto opposite = [&](const Piece& piece) {
        std::size_t k = 0;
        while (piece.corners[k] == edge.low || piece.corners[k] == edge.high) ++k;
        return k;
      };
      const std::size_t k = opposite(one);
      const std::uint32_t p = one.corners[k], q = other.corners[opposite(other)];
      // `one` is (p, a, b). Where the two face the same way, `other` is (q, b, a).
      const std::uint32_t a = one.corners[(k + 1) % 3], b = one.corners[(k + 2) % 3];
      if (p == q || other.corners[(opposite(other) + 1) % 3] != b) return;
      if (hasEdge(p, q) || added.contains(keyOf(p, q)) || !accept(edge, p, q)) return;
      one.corners = {p, a, q};
      other.corners = {p, q, b};
      isDone[first] = isDone[second] = true;
      added.insert(keyOf(p, q));
    });
    isChanged_ = isChanged_ || !added.empty();
    return !added.empty();
  }

  [[nodiscard]] bool bendsLess(const EdgeUses& edge, std::uint32_t p, std::uint32_t q) {
    const Piece &one = pieces_[edge.piece(0)], &other = pieces_[edge.piece(1)];
    if (!one.isChosen || !other.isChosen) return false;
    const double before = errorOf(edge);
    if (!(before > shareOfEdges * level_)) return false;
    const AnalyticSurface& on = *surface(one.surface);
    const Vec3 from = at(p), to = at(q);
    return on.deviation({{from, to, to}}) < 0.8 * before && isSound(edge, p, q);
  }
  /// True if both triangles with the other diagonal would face the right way.
  [[nodiscard]] bool isSound(const EdgeUses& edge, std::uint32_t p, std::uint32_t q) const {
    return lowestWith(edge, p, q) > harmlessShare * target_;
  }
  [[nodiscard]] double lowestWith(const EdgeUses& edge, std::uint32_t p, std::uint32_t q) const {
    const Piece& one = pieces_[edge.piece(0)];
    const auto at = std::ranges::find(one.corners, p) - one.corners.begin();
    const std::uint32_t a = one.corners[static_cast<std::size_t>(at + 1) % 3],
                        b = one.corners[static_cast<std::size_t>(at + 2) % 3];
    return lowest(*surface(one.surface), one.surface, {{p, a, q}, {p, q, b}});
  }

  /// Where an edge moved past the other corners of its triangles, other diagonals may help.
  void turnBack() {
    constexpr int mostPasses = 10;
    for (int pass = 0; pass < mostPasses && hasTurned(); ++pass) {
      findUses();
      const bool isChanged = flip([&](const EdgeUses& edge, std::uint32_t p, std::uint32_t q) {
        const Piece &one = pieces_[edge.piece(0)], &other = pieces_[edge.piece(1)];
        const double before = lowest(*surface(one.surface), one.surface, {one.corners, other.corners});
        return before < 0 && lowestWith(edge, p, q) > before;
      });
      if (!isChanged) return;
    }
  }
  [[nodiscard]] bool hasTurned() const {
    return std::ranges::any_of(pieces_, [&](const Piece& piece) {
      const AnalyticSurface* on = surface(piece.surface);
      return on != nullptr && lowest(*on, piece.surface, {piece.corners}) < -harmlessShare * target_;
    });
  }

  [[nodiscard]] std::shared_ptr<const TriangleMesh> mesh() const {
    TriangleMesh::Data data = mesh_.data();
    std::vector<Point3f> points(mesh_.points().begin(), mesh_.points().end());
    double& rounding = data.validation.largestRounding;
    for (const Vec3& point : newPoints_) {
      const Vec3 local = point - mesh_.origin();
      const Point3f stored{detail::toStorage(local.x), detail::toStorage(local.y),
                           detail::toStorage(local.z)};
      const Vec3 off = toVec3(stored) - local;
      rounding = std::max({rounding, std::abs(off.x), std::abs(off.y), std::abs(off.z)});
      points.push_back(stored);
    }
    std::vector<std::vector<std::uint32_t>> ofSurface(mesh_.surfaces().size());
    for (std::uint32_t i = 0; i < pieces_.size(); ++i) ofSurface[pieces_[i].surface].push_back(i);
    std::vector<TriangleIndices> triangles;
    std::vector<std::uint32_t> sources;
    for (std::size_t s = 0; s < data.surfaces.size(); ++s) {
      Surface& surface = data.surfaces[s];
      const auto begin = static_cast<std::uint32_t>(triangles.size());
      for (std::uint32_t i = 0; i < surface.triangleCount; ++i) {
        const std::uint32_t old = surface.firstTriangle + i;
        if (isTaken_[old]) continue;
        triangles.push_back(mesh_.triangles()[old]);
        sources.push_back(mesh_.sourceTriangle(TriangleId{old}));
      }
      for (const std::uint32_t i : ofSurface[s]) {
        triangles.push_back(pieces_[i].corners);
        sources.push_back(pieces_[i].source);
      }
      surface.firstTriangle = begin;
      surface.triangleCount = static_cast<std::uint32_t>(triangles.size()) - begin;
    }
    data.points = SharedArray(std::move(points));
    data.triangles = SharedArray(std::move(triangles));
    data.sourceTriangles = SharedArray(std::move(sources));
    data.featureEdges = {};
    data.edgePoints = {};
    return std::make_shared<const TriangleMesh>(std::move(data));
  }

  const TriangleMesh& mesh_;
  const MeshTopology& topology_;
  const ChordErrors& errors_;
  double target_;
  double level_ = 0;  ///< the chord error of the division that is under way
  std::size_t mostTriangles_;
  const WorkMeter& meter_;
  std::vector<bool> isTaken_;  ///< by triangle of the mesh: it is replaced by pieces
  std::vector<Piece> pieces_;
  std::vector<Vec3> newPoints_;
  bool isChanged_ = false;
  std::vector<double>
      sides_;  ///< by surface: negative if triangles face against the normal of its closed form
  std::vector<std::pair<std::uint64_t, std::uint32_t>> uses_;  ///< key of an edge, piece; sorted
  std::unordered_map<std::uint64_t, double> edgeErrors_;
};

}  // namespace

std::shared_ptr<const TriangleMesh> refinedLocally(const TriangleMesh& mesh, const MeshTopology& topology,
                                                   const ChordErrors& errors,
                                                   std::span<const TriangleId> triangles, double chordError,
                                                   std::size_t mostTriangles, const WorkMeter& meter) {
  return LocalRefiner(mesh, topology, errors, chordError, mostTriangles, meter).run(triangles);
}

}  // namespace fitup
