#include <fitup/planning/detail/removal_directions.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>

#include <fitup/scene/face_mates.h>

namespace fitup::detail {
namespace {

/// Largest sine of the angle between directions that count as one line. A straight way along the one differs
/// from the other by this share of its length.
constexpr double sameLine = 1e-3;
/// A recognised axis that is this near to an axis of a frame is meant to be that axis.
constexpr double snapLine = 1e-4;
/// A direction leads into a contact if normal . direction is below minus this. Normals of tessellated bores
/// are perpendicular to their axes up to rounding, recognised axes less so.
constexpr double contactSlack = 1e-3;
/// The share of the turning of a face that the advance of a screw leaves, and the least pitch, of the size of
/// the part.
constexpr double mostSlip = 0.02, leastPitch = 1e-3;
/// The cosine between an axis and the normal of a flank of a thread.
constexpr double leastSlope = 0.1;
constexpr std::size_t mostScrews = 4;
constexpr std::size_t mostLines = 24, mostFaces = 64, mostAxes = 2, mostUnknown = 4, mostFramesOfParts = 4;

double sineBetween(const Vec3& a, const Vec3& b) { return norm(cross(a, b)); }

/// Points against its greatest coordinate being negative, so that either sense of a line gives the same.
Vec3 withSense(const Vec3& v) {
  const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
  const double leading = x >= y && x >= z ? v.x : y >= z ? v.y : v.z;
  return leading < 0 ? -v : v;
}

class Gatherer {
 public:
  Gatherer(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
           std::span<const ContactPlace> places)
      : scene_(scene), poses_(poses), moved_(moved), places_(places) {}

  WayCandidates gather() {
    frames();
    contactFaces();
    ownFaces();
    for (const auto& [direction, source] : frameLines_) addLine(direction, source);
    for (const auto& [node, surface] : unknown_)
      addLine(largestNormal(node, surface), RemovalSource::ownFace);
    WayCandidates result;
    for (const auto& [line, source] : lines_)
      for (const Vec3& direction : {line, -line}) result.directions.push_back(rated(direction, source));
    std::ranges::stable_sort(result.directions, {}, [](const WayDirection& d) {
      return std::pair(!d.keepsContacts, -std::round(d.opening * 1e6));
    });
    result.screws = screws();
    result.axes = std::move(axes_);
    return result;
  }

 private:
  using Line = std::pair<Vec3, RemovalSource>;

  void frames() {
    for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}})
      frameLines_.emplace_back(axis, RemovalSource::worldAxis);
    std::size_t taken = 0;
    for (const NodeId node : moved_) {
      if (taken++ == mostFramesOfParts) break;
      const Transform world = scene_.worldFromPart(node, poses_);
      for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) {
        const Vec3 placed = world.applyToVector(axis);
        if (norm(placed) > 0) frameLines_.emplace_back(normalized(placed), RemovalSource::partAxis);
      }
    }
  }

  void contactFaces() {
    std::set<std::pair<NodeId, SurfaceId>> seen;
    for (const ContactPlace& place : places_) {
      bool isKnown = false;
      for (const auto& [node, surface] :
           {std::pair{place.moved, place.surfaces.a}, std::pair{place.rest, place.surfaces.b}}) {
        if (!seen.insert({node, surface}).second) {
          isKnown = true;
          continue;
        }
        isKnown = addFace(node, surface, RemovalSource::contactFace) || isKnown;
      }
      if (!isKnown) addLine(place.normal, RemovalSource::contactFace);
    }
  }

  void ownFaces() {
    struct Face {
      double area;
      NodeId node;
      SurfaceId surface;
    };
    std::vector<Face> faces;
    for (const NodeId node : moved_) {
      const std::span<const Surface> surfaces = scene_.assembly().meshOf(node).surfaces();
      for (std::uint32_t i = 0; i < surfaces.size(); ++i)
        faces.push_back({surfaces[i].fingerprint.area, node, SurfaceId{i}});
    }
    std::ranges::stable_sort(faces, std::greater{}, &Face::area);
    for (std::size_t i = 0; i < std::min(faces.size(), mostFaces); ++i)
      if (!addFace(faces[i].node, faces[i].surface, RemovalSource::ownFace) && unknown_.size() < mostUnknown)
        unknown_.emplace_back(faces[i].node, faces[i].surface);
  }

  /// The normal of the largest triangle of a face.
  [[nodiscard]] Vec3 largestNormal(NodeId node, SurfaceId surface) const {
    const TriangleMesh& mesh = scene_.assembly().meshOf(node);
    const Transform world = scene_.worldFromPart(node, poses_);
    const Surface& s = mesh.surfaces()[index(surface)];
    Vec3 best;
    for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i) {
      const Triangle t = mesh.triangle(TriangleId{i});
      const Vec3 a = world.apply(t.v[0]);
      const Vec3 n = cross(world.apply(t.v[1]) - a, world.apply(t.v[2]) - a);
      if (norm(n) > norm(best)) best = n;
    }
    return norm(best) > 0 ? normalized(best) : best;
  }

  /// False if the face has no plane and no axis.
  bool addFace(NodeId node, SurfaceId surface, RemovalSource source) {
    const auto face =
        matableFace(scene_.assembly().meshOf(node), surface, scene_.worldFromPart(node, poses_));
    if (!face || face->shape.kind == SurfaceKind::sphere) return false;
    addLine(face->shape.axis, source);
    const bool isRound = face->shape.kind == SurfaceKind::cylinder || face->shape.kind == SurfaceKind::cone;
    if (isRound && std::ranges::find(moved_, node) != moved_.end())
      addAxis({face->middle, face->shape.axis, face->shape.radius});
    return true;
  }

  /// The screws of the moved parts' threads about the axes of their round faces and of their frames.
  [[nodiscard]] std::vector<WayScrew> screws() const {
    std::vector<WayScrew> found;
    for (const NodeId node : moved_) {
      const Box box = scene_.worldBounds(node, poses_);
      if (box.empty()) continue;
      std::vector<WayScrew> axes;
      for (const WayAxis& axis : axes_) axes.push_back({axis.point, axis.direction, 0});
      for (const Line& line : frameLines_)
        if (line.second == RemovalSource::partAxis) axes.push_back({box.centre(), line.first, 0});
      const TriangleMesh& mesh = scene_.assembly().meshOf(node);
      for (std::uint32_t i = 0; i < mesh.surfaces().size() && found.size() < mostScrews; ++i)
        for (WayScrew axis : axes) {
          axis.pitch = pitchOf(node, SurfaceId{i}, axis.point, axis.direction);
          if (std::abs(axis.pitch) < leastPitch * 2 * norm(box.halfExtent())) continue;
          if (std::ranges::none_of(found, [&](const WayScrew& known) {
                return sineBetween(known.direction, axis.direction) < sameLine &&
                       norm(cross(axis.point - known.point, known.direction)) <
                           std::abs(axis.pitch) * sameLine;
              }))
            found.push_back(axis);
        }
    }
    return found;
  }

  /// The pitch with which a face slides in itself about an axis, by least squares over its triangles
  /// (slippage analysis: Gelfand and Guibas, Shape Segmentation Using Local Slippage Analysis, 2004); 0 if it
  /// does not, or does so without advance.
  [[nodiscard]] double pitchOf(NodeId node, SurfaceId surface, const Vec3& point, const Vec3& axis) const {
    const TriangleMesh& mesh = scene_.assembly().meshOf(node);
    const Transform world = scene_.worldFromPart(node, poses_);
    const Surface& s = mesh.surfaces()[index(surface)];
    double along = 0, around = 0, both = 0;
    for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i) {
      const TriangleIndices& t = mesh.triangles()[i];
      const Vec3 a = world.apply(mesh.pointInPart(t[0])), b = world.apply(mesh.pointInPart(t[1])),
                 c = world.apply(mesh.pointInPart(t[2]));
      const Vec3 normal = cross(b - a, c - a);
      const double area = norm(normal);
      if (!(area > 0)) continue;
      const double n = dot(normal, axis) / area,
                   m = dot(normal, cross(axis, (1.0 / 3) * (a + b + c) - point)) / area;
      if (std::abs(n) < leastSlope) continue;  // a root or a crest, where only facets resist a turn
      along += area * n * n;
      around += area * m * m;
      both += area * n * m;
    }
    if (!(along > 0) || !(around > 0)) return 0;
    const double left = 1 - both * both / (along * around);
    return left < mostSlip ? -both / along * 2 * std::numbers::pi : 0;
  }

  void addAxis(const WayAxis& axis) {
    if (axes_.size() == mostAxes) return;
    for (const WayAxis& known : axes_)
      if (sineBetween(known.direction, axis.direction) < sameLine &&
          norm(cross(axis.point - known.point, known.direction)) < sameLine * known.radius)
        return;
    axes_.push_back(axis);
  }

  void addLine(Vec3 direction, RemovalSource source) {
    if (lines_.size() == mostLines || !isFinite(direction) || !(norm(direction) > 0)) return;
    direction = normalized(direction);
    for (const Line& frame : frameLines_)
      if (sineBetween(frame.first, direction) < snapLine) {
        direction = frame.first;
        break;
      }
    direction = withSense(direction);
    for (const Line& line : lines_)
      if (sineBetween(line.first, direction) < sameLine) return;
    lines_.emplace_back(direction, source);
  }

  [[nodiscard]] WayDirection rated(const Vec3& direction, RemovalSource source) const {
    WayDirection result{direction, source, true, 0};
    for (const ContactPlace& place : places_) {
      const double along = dot(place.normal, direction);
      result.keepsContacts = result.keepsContacts && along >= -contactSlack;
      result.opening += along / static_cast<double>(places_.size());
    }
    return result;
  }

  const Scene& scene_;
  const Poses& poses_;
  std::span<const NodeId> moved_;
  std::span<const ContactPlace> places_;
  std::vector<Line> frameLines_, lines_;
  std::vector<WayAxis> axes_;
  std::vector<std::pair<NodeId, SurfaceId>> unknown_;  ///< the largest own faces that are not recognised
};

}  // namespace

WayCandidates wayCandidates(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                            std::span<const ContactPlace> places) {
  return Gatherer(scene, poses, moved, places).gather();
}

}  // namespace fitup::detail
