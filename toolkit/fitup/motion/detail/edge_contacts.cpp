#include <fitup/motion/detail/edge_contacts.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fitup/geometry/distance_segment_segment.h>

namespace fitup::detail {
namespace {

/// Sine by which a direction may leave the directions between the normals of an edge's two faces. Places
/// beside the cone are ones where a corner is nearer; rounding must not lose those on its border.
constexpr double coneTolerance = 0.02;
/// Of the overlap of two edges: a point that is outside by less counts as being on the border.
constexpr double onBorder = 0.05;
/// Sine of the angle between two edges below which they count as parallel: their ends touch first.
constexpr double parallel = 1e-6;

/// An edge at its place.
struct PlacedEdge {
  const PlacedContactPart& part;
  const MeshTopology::Edge& edge;
  Vec3 from, to;

  PlacedEdge(const PlacedContactPart& placed, std::uint32_t id)
      : part(placed),
        edge(placed.part().solid().topology().edges()[id]),
        from(placed.corner(edge.low)),
        to(placed.corner(edge.high)) {}

  [[nodiscard]] auto uses() const { return part.part().solid().topology().uses(edge); }
  [[nodiscard]] TriangleId triangle() const { return TriangleId{uses().front().triangle}; }
  /// The round face in whose middle the edge lies, if it has a closed form.
  [[nodiscard]] const PlacedContactPart::ExactFace* roundFace() const {
    const SurfaceId surface = part.surfaceOf(triangle());
    for (const auto& use : uses())
      if (part.surfaceOf(TriangleId{use.triangle}) != surface) return nullptr;
    const auto* face = part.exactFace(surface);
    return face != nullptr && face->isRound ? face : nullptr;
  }
  /// The deviation of the edge at a point from its exact faces: above 0 if the exact part is within.
  [[nodiscard]] double deviation(const Vec3& point) const {
    double most = 0;
    for (const auto& use : uses()) {
      const TriangleId id{use.triangle};
      const auto* face = part.exactFace(part.surfaceOf(id));
      if (face == nullptr || !face->isRound) continue;
      const double side = dot(face->surface.normal(point), part.normal(id)) < 0 ? -1 : 1;
      const double here = side * face->surface.distance(point);
      if (std::abs(here) > std::abs(most)) most = here;
    }
    return most;
  }
  /// Whether a direction lies between the normals of the two faces: it leads out of both, along neither.
  [[nodiscard]] bool pointsOut(const Vec3& direction) const {
    const Vec3 along = normalized(to - from);
    for (const auto& use : uses()) {
      const Triangle t = part.triangle(TriangleId{use.triangle});
      Vec3 into;
      for (const Vec3& v : t.v) {
        const Vec3 across = (v - from) - dot(v - from, along) * along;
        if (norm(across) > norm(into)) into = across;
      }
      if (dot(direction, into) > coneTolerance * norm(into)) return false;
    }
    return true;
  }
  /// Whether what is at the edge has material on the other side of a direction that points out: at an acute
  /// edge, not all of it does.
  [[nodiscard]] bool isSolidBehind(const Vec3& direction) const {
    return std::ranges::all_of(uses(), [&](const auto& use) {
      return dot(part.normal(TriangleId{use.triangle}), direction) >= -coneTolerance;
    });
  }
};

class EdgeContacts {
 public:
  EdgeContacts(const PlacedContactPart& moved, const PlacedContactPart& resting, const ContactReach& reach,
               std::vector<ContactRow>& rows)
      : moved_(moved),
        resting_(resting),
        reach_(reach),
        rows_(rows),
        tiny_(2 * (moved.rounding() + resting.rounding()) + 1e-9 * std::max(reach.gap, reach.overlap)) {}

  void of(const EdgePair& pair) {
    const PlacedEdge a(moved_, pair.moved), b(resting_, pair.resting);
    const Vec3 across = cross(a.to - a.from, b.to - b.from);
    const double length = norm(across);
    if (!(length > parallel * norm(a.to - a.from) * norm(b.to - b.from))) return;
    const auto nearest = closestInsideSegments(a.from, a.to, b.from, b.to, across);
    if (!nearest || nearest->distance > std::max(reach_.gap, reach_.overlap)) return;
    const auto direction = directionOut(a, b, (1 / length) * across, *nearest);
    if (!direction) return;
    if (dot(*direction, nearest->onA - nearest->onB) < 0 &&
        !(b.isSolidBehind(*direction) && a.isSolidBehind(-*direction) && areInEachOther(*nearest)))
      return;
    const auto *roundA = a.roundFace(), *roundB = b.roundFace();
    const double ofA = a.deviation(nearest->onA), ofB = b.deviation(nearest->onB);
    if (roundA != nullptr && roundB != nullptr) return ofRoundFaces(a, *roundA, b, *roundB, *nearest);
    // Corners along a curved edge meet a round face themselves (`addCornerContacts`).
    if (roundA != nullptr) {
      if (std::abs(ofB) <= tiny_) ofStraightEdge(b, *roundA, a, *direction, nearest->onB, -1);
      return;
    }
    if (roundB != nullptr) {
      if (std::abs(ofA) <= tiny_) ofStraightEdge(a, *roundB, b, -*direction, nearest->onA, 1);
      return;
    }
    add(nearest->onA, *direction, dot(*direction, nearest->onA - nearest->onB) + ofA + ofB, false, a, b);
  }

 private:
  /// Whether what two edges seem to overlap by is inside both parts: near their ends, other faces bound
  /// these. Where edges of two flat contacts cross, the point between them is on the borders.
  [[nodiscard]] bool areInEachOther(const ClosestPoints& nearest) const {
    const Vec3 between = 0.5 * (nearest.onA + nearest.onB);
    const double within = tiny_ + onBorder * nearest.distance;
    return moved_.holds(between, within) && resting_.holds(between, within);
  }

  /// The direction out of the resting part, if the edges can touch from outside.
  [[nodiscard]] std::optional<Vec3> directionOut(const PlacedEdge& a, const PlacedEdge& b, const Vec3& across,
                                                 const ClosestPoints& nearest) const {
    const Vec3 between = nearest.onA - nearest.onB;
    const double sign = dot(across, between) < 0 ? -1 : 1;
    const bool areClosed = moved_.part().isClosed() && resting_.part().isClosed();
    if (nearest.distance <= tiny_ && !areClosed) return std::nullopt;
    const auto isOut = [&](const Vec3& n) { return b.pointsOut(n) && a.pointsOut(-n); };
    if (isOut(sign * across)) return sign * across;
    if (areClosed && isOut(-sign * across)) return -sign * across;
    return std::nullopt;
  }

  void add(const Vec3& point, const Vec3& normal, double gap, bool isExact, const PlacedEdge& a,
           const PlacedEdge& b) {
    if (gap <= reach_.gap && gap >= -reach_.overlap)
      rows_.push_back({point, normal, gap, isExact, a.triangle(), b.triangle()});
  }

  /// Two cylinders that cross are nearest on the common perpendicular of their axes. Other round faces are
  /// met by their corners only.
  void ofRoundFaces(const PlacedEdge& a, const PlacedContactPart::ExactFace& faceA, const PlacedEdge& b,
                    const PlacedContactPart::ExactFace& faceB, const ClosestPoints& nearest) {
    const SurfaceDescription &da = faceA.description, &db = faceB.description;
    if (da.kind != SurfaceKind::cylinder || db.kind != SurfaceKind::cylinder) return;
    const Vec3 n = cross(da.axis, db.axis), between = da.point - db.point;
    const double sine = norm(n);
    if (sine < 1e-3) return;
    const Vec3 unit = (dot(n, nearest.onA - nearest.onB) < 0 ? -1 / sine : 1 / sine) * n;
    const double apart = dot(unit, between);
    // The foot on the axis of A: its point beside the plane that holds the axis of B and the perpendicular.
    const Vec3 aside = cross(db.axis, unit);
    const Vec3 onA = da.point - (dot(aside, between) / dot(aside, da.axis)) * da.axis;
    const Vec3 point = onA - da.radius * unit;
    if (norm(point - nearest.onA) > 0.5 * std::max(da.radius, db.radius)) return;
    add(point, unit, apart - da.radius - db.radius, true, a, b);
  }

  /// A straight edge at a round face is nearest where it is parallel to the face. `normal` leads out of the
  /// face; `sense` is 1 if the moved part has the edge.
  void ofStraightEdge(const PlacedEdge& edge, const PlacedContactPart::ExactFace& face,
                      const PlacedEdge& ofFace, const Vec3& inward, const Vec3& seed, double sense) {
    const Vec3 along = edge.to - edge.from;
    const double side = dot(face.surface.normal(seed), inward) > 0 ? -1 : 1;
    const auto slope = [&](double t) {
      return side * dot(face.surface.normal(edge.from + t * along), along);
    };
    double low = 0, high = 1;
    if (!(slope(low) < 0 && slope(high) > 0)) return;
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (low + high);
      (slope(middle) < 0 ? low : high) = middle;
    }
    const Vec3 point = edge.from + low * along;
    if (norm(point - seed) > face.description.radius) return;
    const Vec3 normal = side * face.surface.normal(point);
    add(point, sense * normal, side * face.surface.distance(point), true, sense > 0 ? edge : ofFace,
        sense > 0 ? ofFace : edge);
  }

  const PlacedContactPart &moved_, &resting_;
  ContactReach reach_;
  std::vector<ContactRow>& rows_;
  double tiny_;  ///< lengths below it are rounding
};

}  // namespace

void addEdgeContacts(const PlacedContactPart& moved, const PlacedContactPart& resting,
                     std::span<const EdgePair> near, const ContactReach& reach,
                     std::vector<ContactRow>& rows) {
  EdgeContacts contacts(moved, resting, reach, rows);
  for (const EdgePair& pair : near) contacts.of(pair);
}

}  // namespace fitup::detail
