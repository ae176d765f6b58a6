#include <fitup/motion/detail/corner_contacts.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fitup/geometry/distance_point_triangle.h>

namespace fitup::detail {
namespace {

/// Sine up to which an edge at a corner may lead behind the face that holds the corner: parts turn a little
/// within one step, and flat contacts are flat only up to rounding.
constexpr double behindWithin = 0.1;

/// The same above which a part certainly goes on behind the face. Corners of a bore with few facets, which
/// lie farther out than the facets, have edges that lead inwards by less.
constexpr double passesBehind = 0.35;
/// Of the deepest overlap: a corner that is no deeper behind a face which does not hold it is flush with it.
constexpr double flushWithin = 1.0 / 64;

using ExactFace = PlacedContactPart::ExactFace;

/// The part of a triangle on which a point lies.
struct Feature {
  enum class Kind : std::uint8_t { inside, edge, corner } kind = Kind::inside;
  std::uint32_t id = 0;  ///< of the edge or of the welded point
};

/// A corner and a triangle near it.
struct Meeting {
  TriangleId triangle{};
  SurfaceId surface{};
  Vec3 foot;              ///< the nearest point of the triangle
  double distance = 0;    ///< to it
  Feature feature;        ///< on which it lies
  Vec3 normal;            ///< of the face at the foot: exact, if it has a closed form
  double height = 0;      ///< above the face (its plane or closed form), below 0 behind it
  double aside = 0;       ///< of the foot, along the plane of the triangle
  bool isInFace = false;  ///< the point is above or below the face, not beside it
  const ExactFace* exact = nullptr;
};

class CornerContacts {
 public:
  CornerContacts(const PlacedContactPart& corners, const PlacedContactPart& faces, const ContactReach& reach,
                 const std::function<void(const CornerContact&)>& add)
      : own_(corners),
        other_(faces),
        reach_(reach),
        add_(add),
        tiny_(2 * (corners.rounding() + faces.rounding()) + 1e-9 * std::max(reach.gap, reach.overlap)) {}

  void of(std::uint32_t corner, std::span<const CornerNear> near) {
    corner_ = corner;
    point_ = own_.corner(corner);
    meetings_.clear();
    for (const CornerNear& n : near) addMeeting(n.triangle);
    if (meetings_.empty()) return;
    std::sort(meetings_.begin(), meetings_.end(), [](const Meeting& a, const Meeting& b) {
      return a.distance < b.distance || (a.distance == b.distance && a.triangle < b.triangle);
    });
    const bool isClosed = other_.part().isClosed();
    const bool isInside = isClosed && isBehind(meetings_.front());
    const bool mayOverlap = isClosed && (isInside || meetings_.front().distance <= tiny_);
    reported_.clear();
    overlaps_.clear();
    for (const Meeting& m : meetings_) {
      if (m.isInFace && (m.height > 0 || !isClosed))
        report(m, m.normal, m.height);
      else if (mayOverlap || (m.isInFace && m.exact != nullptr && m.exact->isRound))
        addOverlap(m);
      if (!m.isInFace && !isInside && m.distance > tiny_ && isNearestAround(m)) reportBorder(m);
    }
    reportOverlaps();
  }

 private:
  void addMeeting(TriangleId id) {
    const Triangle t = other_.triangle(id);
    const ClosestPoints nearest = distancePointTriangle(point_, t);
    if (!(nearest.distance <= std::max(reach_.gap, reach_.overlap))) return;
    Meeting m;
    m.triangle = id;
    m.surface = other_.surfaceOf(id);
    m.foot = nearest.onB;
    m.distance = nearest.distance;
    m.normal = other_.normal(id);
    if (norm(m.normal) == 0) return;
    m.height = dot(m.normal, point_ - t.v[0]);
    m.aside = std::sqrt(std::max(0.0, m.distance * m.distance - m.height * m.height));
    m.feature = featureAt(id, t, m.foot);
    m.exact = other_.exactFace(m.surface);
    // The triangles of a round face have borders inside it, beside which its points are not.
    m.isInFace = m.aside <= tiny_ || (m.exact != nullptr && m.exact->isRound && isWithinSurface(m));
    if (m.exact != nullptr) {
      const double side = dot(m.exact->surface.normal(m.foot), m.normal) < 0 ? -1 : 1;
      m.normal = side * m.exact->surface.normal(point_);
      m.height = side * m.exact->surface.distance(point_);
    }
    if (!other_.part().isClosed() && m.height < 0) {
      m.normal = -m.normal;
      m.height = -m.height;
    }
    meetings_.push_back(m);
  }

  [[nodiscard]] Feature featureAt(TriangleId id, const Triangle& t, const Vec3& foot) const {
    const MeshTopology& topology = other_.part().solid().topology();
    const TriangleIndices& points = other_.part().solid().mesh().triangles()[index(id)];
    for (std::size_t k = 0; k < 3; ++k)
      if (norm(foot - t.v[k]) <= tiny_) return {Feature::Kind::corner, topology.welded(points[k])};
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 along = t.v[(k + 1) % 3] - t.v[k];
      if (norm(cross(along, foot - t.v[k])) > tiny_ * norm(along)) continue;
      const std::uint32_t edge = topology.edgesOf(id)[k];
      if (edge != MeshTopology::noEdge) return {Feature::Kind::edge, edge};
    }
    return {};
  }

  /// Calls `visit` for the triangles that share a feature, until one call returns false.
  template <typename Visit>
  bool allAt(const Feature& feature, TriangleId own, const Visit& visit) const {
    const MeshTopology& topology = other_.part().solid().topology();
    switch (feature.kind) {
      case Feature::Kind::inside:
        return visit(own);
      case Feature::Kind::edge:
        return std::ranges::all_of(topology.uses(topology.edges()[feature.id]),
                                   [&](const auto& use) { return visit(TriangleId{use.triangle}); });
      case Feature::Kind::corner:
        return std::ranges::all_of(other_.part().trianglesAt(feature.id), visit);
    }
    return true;
  }

  [[nodiscard]] bool isWithinSurface(const Meeting& m) const {
    return allAt(m.feature, m.triangle, [&](TriangleId id) { return other_.surfaceOf(id) == m.surface; });
  }
  /// Whether no other triangle at the foot is nearer: the foot is a local minimum of the distance.
  [[nodiscard]] bool isNearestAround(const Meeting& m) const {
    return allAt(m.feature, m.triangle, [&](TriangleId id) {
      return distancePointTriangle(point_, other_.triangle(id)).distance >= m.distance - tiny_;
    });
  }
  /// Whether the corner is inside, given the triangle nearest to it: by the normal weighted with angles
  /// (Baerentzen and Aanaes, Signed Distance Computation Using the Angle Weighted Pseudonormal, 2005).
  [[nodiscard]] bool isBehind(const Meeting& m) const {
    Vec3 normal;
    allAt(m.feature, m.triangle, [&](TriangleId id) {
      normal = normal + weightAt(m, id) * other_.normal(id);
      return true;
    });
    return dot(normal, point_ - m.foot) < 0;
  }
  [[nodiscard]] double weightAt(const Meeting& m, TriangleId id) const {
    if (m.feature.kind != Feature::Kind::corner) return 1;
    const Triangle t = other_.triangle(id);
    std::size_t at = 0;
    for (std::size_t k = 1; k < 3; ++k)
      if (norm(t.v[k] - m.foot) < norm(t.v[at] - m.foot)) at = k;
    const Vec3 u = t.v[(at + 1) % 3] - t.v[at], v = t.v[(at + 2) % 3] - t.v[at];
    return std::atan2(norm(cross(u, v)), dot(u, v));
  }

  /// The least sine of the angle between a face with this normal and an edge at the corner: below 0 if an
  /// edge leads behind the face.
  [[nodiscard]] double leastRise(const Vec3& normal) const {
    const MeshTopology& topology = own_.part().solid().topology();
    double least = 1;
    for (const TriangleId id : own_.part().trianglesAt(corner_))
      for (const std::uint32_t p : own_.part().solid().mesh().triangles()[index(id)]) {
        if (topology.welded(p) == corner_) continue;
        const Vec3 along = own_.corner(p) - point_;
        if (const double length = norm(along); length > 0)
          least = std::min(least, dot(normal, along) / length);
      }
    return least;
  }

  /// A face that the corner is behind.
  struct Overlap {
    const Meeting* meeting;
    double rise;  ///< `leastRise`
  };
  void addOverlap(const Meeting& m) {
    if (m.height > tiny_ || m.height < -reach_.overlap) return;
    if (!m.isInFace && m.aside > reach_.overlap) return;
    overlaps_.push_back({&m, leastRise(m.normal)});
  }
  void reportOverlaps() {
    std::stable_sort(overlaps_.begin(), overlaps_.end(), [](const Overlap& a, const Overlap& b) {
      return a.meeting->height > b.meeting->height;
    });
    std::vector<const Meeting*> shallower;
    for (const auto& [m, rise] : overlaps_) {
      const bool isExcused = std::ranges::any_of(shallower, [&](const Meeting* k) {
        // A face behind which the corner is beside it, or one beyond a convex border.
        return (k->isInFace && !m->isInFace) ||
               (dot(k->normal, m->foot - k->foot) < -tiny_ && dot(m->normal, k->foot - m->foot) < -tiny_);
      });
      if (isExcused) continue;
      // A part that goes on behind a face with which its corner is flush is not held by that face, and is
      // inside the other one.
      const bool isFlush = rise < -passesBehind && m->height >= -flushWithin * reach_.overlap;
      if (!isFlush) shallower.push_back(m);
      if (rise >= -behindWithin) report(*m, m->normal, m->height);
    }
  }

  /// A place beside a face, at its border, where the line to the nearest point is the direction.
  void reportBorder(const Meeting& m) {
    double deviation = 0;
    allAt(m.feature, m.triangle, [&](TriangleId id) {
      deviation = std::max(deviation, other_.deviation(other_.surfaceOf(id), m.foot));
      return true;
    });
    // The exact border is farther or nearer by what its chords deviate; being nearer is left to the steps
    // that follow, when other corners are nearest.
    Meeting beside = m;
    beside.exact = nullptr;
    report(beside, (1 / m.distance) * (point_ - m.foot), m.distance + deviation);
  }

  void report(const Meeting& m, const Vec3& normal, double gap) {
    if (gap > reach_.gap) return;
    for (const auto& [n, g] : reported_)
      if (dot(n, normal) > 1 - 1e-12 && std::abs(g - gap) <= tiny_) return;
    reported_.emplace_back(normal, gap);
    const TriangleId own = own_.part().trianglesAt(corner_).front();
    add_({point_, normal, gap, m.exact != nullptr, own, m.triangle});
    if (m.exact != nullptr) addBetweenCorners(m);
  }

  /// Round faces of the corner's part come nearer to the other face between their corners: turns the corner
  /// about the axis of its face to the place of the least height, at most to the neighbouring corners.
  void addBetweenCorners(const Meeting& m) {
    for (const TriangleId id : own_.part().trianglesAt(corner_)) {
      const ExactFace* round = own_.exactFace(own_.surfaceOf(id));
      if (round == nullptr || !round->isRound) continue;
      if (round->description.kind == SurfaceKind::sphere)
        addOnSphere(m, *round, id);
      else
        addOnCircle(m, round->description, id);
      return;
    }
  }

  void addOnCircle(const Meeting& m, const SurfaceDescription& round, TriangleId id) {
    const auto radial = [&](const Vec3& p) {
      const Vec3 from = p - round.point;
      return from - dot(from, round.axis) * round.axis;
    };
    const Vec3 centre = point_ - radial(point_), u = point_ - centre, v = cross(round.axis, u);
    if (!(norm(u) > tiny_)) return;
    double step = 0;
    for (const Vec3& p : own_.triangle(id).v) {
      const Vec3 r = radial(p);
      step = std::max(step, std::abs(std::atan2(dot(r, v), dot(r, u))));
    }
    const auto at = [&](double angle) { return centre + std::cos(angle) * u + std::sin(angle) * v; };
    const double side = dot(m.exact->surface.normal(point_), m.normal) < 0 ? -1 : 1;
    const auto slope = [&](double angle) {
      const Vec3 p = at(angle);
      return side * dot(m.exact->surface.normal(p), std::cos(angle) * v - std::sin(angle) * u);
    };
    double low = -step, high = step;
    if (!(slope(low) < 0 && slope(high) > 0)) return;
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (low + high);
      (slope(middle) < 0 ? low : high) = middle;
    }
    addExact(m, at(0.5 * (low + high)), side, id);
  }

  /// The point of a ball that is lowest above the other face.
  void addOnSphere(const Meeting& m, const ExactFace& ball, TriangleId id) {
    const Vec3 centre = ball.description.point;
    if (dot(own_.normal(id), point_ - centre) < 0) return;  // a hollow sphere
    const double side = dot(m.exact->surface.normal(point_), m.normal) < 0 ? -1 : 1;
    const Vec3 lowest = centre - (ball.description.radius * side) * m.exact->surface.normal(centre);
    double size = 0;
    const Triangle t = own_.triangle(id);
    for (std::size_t k = 0; k < 3; ++k) size = std::max(size, norm(t.v[(k + 1) % 3] - t.v[k]));
    if (norm(lowest - point_) <= size) addExact(m, lowest, side, id);
  }

  void addExact(const Meeting& m, const Vec3& point, double side, TriangleId own) {
    const double gap = side * m.exact->surface.distance(point);
    if (gap <= reach_.gap && gap >= -reach_.overlap)
      add_({point, side * m.exact->surface.normal(point), gap, true, own, m.triangle});
  }

  const PlacedContactPart &own_, &other_;
  ContactReach reach_;
  const std::function<void(const CornerContact&)>& add_;
  double tiny_;  ///< lengths below it are rounding
  std::uint32_t corner_ = 0;
  Vec3 point_;
  std::vector<Meeting> meetings_;
  std::vector<Overlap> overlaps_;
  std::vector<std::pair<Vec3, double>> reported_;
};

}  // namespace

void addCornerContacts(const PlacedContactPart& corners, const PlacedContactPart& faces,
                       std::span<const CornerNear> near, const ContactReach& reach,
                       const std::function<void(const CornerContact&)>& add) {
  CornerContacts contacts(corners, faces, reach, add);
  for (std::size_t from = 0; from < near.size();) {
    std::size_t to = from;
    while (to < near.size() && near[to].corner == near[from].corner) ++to;
    contacts.of(near[from].corner, near.subspan(from, to - from));
    from = to;
  }
}

}  // namespace fitup::detail
