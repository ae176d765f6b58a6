#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <fitup/hierarchy/solid_model.h>
#include <fitup/mesh/triangle_mesh.h>
#include <fitup/scene/scene.h>

namespace fitup::test {

/// A point of a profile: distance from the axis z, height.
struct ProfilePoint {
  double r, z;
};

/// A piece of a profile, from the end of the one before. A straight piece makes a plane, a cylinder or a
/// cone, an arc a sphere (with its centre on the axis) or a torus.
struct ProfilePiece {
  ProfilePoint to;
  std::optional<ProfilePoint> centre{};  ///< of an arc, that is less than half a circle
};

/// A solid of revolution about z, tessellated as CAD programs do: all points lie on the surface, and each
/// piece of the profile is a face with its closed form. The profile runs with the outside on its right. It
/// begins and ends on the axis, or where it began (a ring).
class RevolvedPart {
 public:
  RevolvedPart(ProfilePoint begin, std::vector<ProfilePiece> pieces)
      : begin_(begin), pieces_(std::move(pieces)) {}

  /// `error`: chord error of circles and arcs. `turn` (radians) turns the points, not the shape.
  [[nodiscard]] TriangleMesh mesh(double error, double turn = 0) const {
    TriangleMeshBuilder builder("revolved");
    double largest = begin_.r;
    for (const ProfilePiece& piece : pieces_) largest = std::max(largest, piece.to.r);
    const std::size_t n = segmentsFor(largest, error, 2 * std::numbers::pi);
    const auto ring = [&](const ProfilePoint& at) {
      std::vector<std::uint32_t> points;
      if (at.r == 0) points.push_back(builder.addPoint({0, 0, at.z}));
      for (std::size_t i = 0; i < n && at.r > 0; ++i) {
        const double angle = turn + 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
        points.push_back(builder.addPoint({at.r * std::cos(angle), at.r * std::sin(angle), at.z}));
      }
      return points;
    };
    const double sag = 1 - std::cos(std::numbers::pi / static_cast<double>(n));
    std::vector<std::uint32_t> below = ring(begin_);
    const std::vector<std::uint32_t> first = below;
    ProfilePoint from = begin_;
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      const ProfilePiece& piece = pieces_[k];
      builder.beginSurface("face " + std::to_string(k), {}, description(from, piece));
      double arcError = 0;
      std::vector<ProfilePoint> steps{piece.to};
      if (piece.centre) steps = arc(from, piece, error, arcError);
      double widest = from.r;
      for (const ProfilePoint& at : steps) {
        widest = std::max(widest, at.r);
        const bool isLast = k + 1 == pieces_.size() && &at == &steps.back();
        const auto above = isLast && begin_.r > 0 ? first : ring(at);
        for (std::size_t i = 0; i < n; ++i) {
          const std::size_t j = (i + 1) % n;
          if (below.size() == n) builder.addTriangle(below[i], below[j], above[above.size() == n ? j : 0]);
          if (above.size() == n) builder.addTriangle(below[below.size() == n ? i : 0], above[j], above[i]);
        }
        below = above;
      }
      builder.setChordError(widest * sag + arcError);
      from = piece.to;
    }
    builder.setDeflection({error, 0.5});
    return builder.build();
  }
  [[nodiscard]] std::shared_ptr<const SolidModel> solid(double error, double turn = 0) const {
    return SolidModel::build(CollisionModel::build(std::make_shared<const TriangleMesh>(mesh(error, turn))));
  }
  /// The distance of a point from the exact surface.
  [[nodiscard]] double distance(const Vec3& point) const {
    const ProfilePoint at{std::hypot(point.x, point.y), point.z};
    double least = std::numeric_limits<double>::infinity();
    ProfilePoint from = begin_;
    for (const ProfilePiece& piece : pieces_) {
      least = std::min(least, piece.centre ? fromArc(at, from, piece) : fromSegment(at, from, piece.to));
      from = piece.to;
    }
    return least;
  }
  /// A point of the exact surface: at `share` of the length of a piece, turned by `angle`.
  [[nodiscard]] Vec3 point(std::size_t piece, double share, double angle) const {
    const ProfilePoint from = piece == 0 ? begin_ : pieces_[piece - 1].to;
    const ProfilePiece& along = pieces_[piece];
    ProfilePoint at{from.r + share * (along.to.r - from.r), from.z + share * (along.to.z - from.z)};
    if (along.centre) {
      const auto [begin, way, radius] = angles(from, along);
      at = {along.centre->r + radius * std::cos(begin + share * way),
            along.centre->z + radius * std::sin(begin + share * way)};
    }
    return {at.r * std::cos(angle), at.r * std::sin(angle), at.z};
  }
  [[nodiscard]] std::size_t pieceCount() const { return pieces_.size(); }

 private:
  struct Angles {
    double begin, way, radius;
  };
  static Angles angles(const ProfilePoint& from, const ProfilePiece& piece) {
    const ProfilePoint& c = *piece.centre;
    const double begin = std::atan2(from.z - c.z, from.r - c.r);
    return {begin,
            std::remainder(std::atan2(piece.to.z - c.z, piece.to.r - c.r) - begin, 2 * std::numbers::pi),
            std::hypot(from.r - c.r, from.z - c.z)};
  }
  static double fromSegment(const ProfilePoint& p, const ProfilePoint& a, const ProfilePoint& b) {
    const double r = b.r - a.r, z = b.z - a.z;
    const double at = std::clamp(((p.r - a.r) * r + (p.z - a.z) * z) / (r * r + z * z), 0.0, 1.0);
    return std::hypot(p.r - a.r - at * r, p.z - a.z - at * z);
  }
  static double fromArc(const ProfilePoint& p, const ProfilePoint& from, const ProfilePiece& piece) {
    const auto [begin, way, radius] = angles(from, piece);
    const ProfilePoint& c = *piece.centre;
    const double at =
        std::remainder(std::atan2(p.z - c.z, p.r - c.r) - begin - 0.5 * way, 2 * std::numbers::pi);
    if (std::abs(at) <= 0.5 * std::abs(way)) return std::abs(std::hypot(p.r - c.r, p.z - c.z) - radius);
    return std::min(std::hypot(p.r - from.r, p.z - from.z), std::hypot(p.r - piece.to.r, p.z - piece.to.z));
  }
  static std::size_t segmentsFor(double radius, double error, double angle) {
    const double most = 2 * std::acos(1 - std::min(error, 0.5 * radius) / radius);
    return static_cast<std::size_t>(std::max(3.0, std::ceil(angle / most)));
  }
  static std::vector<ProfilePoint> arc(const ProfilePoint& from, const ProfilePiece& piece, double error,
                                       double& arcError) {
    const ProfilePoint& c = *piece.centre;
    const auto [begin, way, radius] = angles(from, piece);
    const std::size_t n = segmentsFor(radius, error, std::abs(way));
    arcError = radius * (1 - std::cos(0.5 * way / static_cast<double>(n)));
    std::vector<ProfilePoint> points;
    for (std::size_t i = 1; i < n; ++i) {
      const double angle = begin + way * static_cast<double>(i) / static_cast<double>(n);
      points.push_back({c.r + radius * std::cos(angle), c.z + radius * std::sin(angle)});
    }
    points.push_back(piece.to);
    return points;
  }
  static SurfaceDescription description(const ProfilePoint& from, const ProfilePiece& piece) {
    SurfaceDescription result;
    if (piece.centre) {
      const double radius = std::hypot(from.r - piece.centre->r, from.z - piece.centre->z);
      result.point = {0, 0, piece.centre->z};
      result.kind = piece.centre->r == 0 ? SurfaceKind::sphere : SurfaceKind::torus;
      result.radius = piece.centre->r == 0 ? radius : piece.centre->r;
      result.secondRadius = piece.centre->r == 0 ? 0 : radius;
    } else if (from.z == piece.to.z) {
      result.kind = SurfaceKind::plane;
      result.point = {0, 0, from.z};
      result.axis = {0, 0, piece.to.r > from.r ? -1.0 : 1.0};
    } else if (from.r == piece.to.r) {
      result.kind = SurfaceKind::cylinder;
      result.radius = from.r;
    } else {
      result.kind = SurfaceKind::cone;
      result.point = {0, 0, from.z};
      result.radius = from.r;
      const double slope = (piece.to.r - from.r) / (piece.to.z - from.z);
      result.axis = {0, 0, slope > 0 ? 1.0 : -1.0};
      result.halfAngle = std::atan(std::abs(slope));
    }
    return result;
  }

  ProfilePoint begin_;
  std::vector<ProfilePiece> pieces_;
};

/// An assembly of parts of revolution at places, each with its own chord error.
struct RevolvedScene {
  Assembly assembly{"revolved"};

  NodeId add(const std::string& name, const RevolvedPart& part, double error, const Transform& at = {},
             double turn = 0) {
    const PartId id = assembly.addPart(std::make_shared<const TriangleMesh>(part.mesh(error, turn)));
    return assembly.addNode(name, at, {}, id);
  }
  [[nodiscard]] Scene scene() const { return Scene(assembly, buildCollisionModels(assembly, {}, {}, 1)); }
};

/// A cylinder about z.
inline RevolvedPart shaft(double radius, double from, double to) {
  return {{0, from}, {{{radius, from}}, {{radius, to}}, {{0, to}}}};
}
/// A sphere about the origin.
inline RevolvedPart ball(double radius) {
  return {{0, -radius}, {{{radius, 0}, ProfilePoint{0, 0}}, {{0, radius}, ProfilePoint{0, 0}}}};
}
/// A torus about z.
inline RevolvedPart ring(double major, double minor) {
  const ProfilePoint centre{major, 0};
  return {{major - minor, 0},
          {{{major, -minor}, centre},
           {{major + minor, 0}, centre},
           {{major, minor}, centre},
           {{major - minor, 0}, centre}}};
}
/// A hollow cylinder about z.
inline RevolvedPart bushing(double inner, double outer, double from, double to) {
  return {{inner, from}, {{{outer, from}}, {{outer, to}}, {{inner, to}}, {{inner, from}}}};
}

}  // namespace fitup::test
