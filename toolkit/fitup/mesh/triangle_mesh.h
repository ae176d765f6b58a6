#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fitup/base/shared_array.h>
#include <fitup/geometry/aabb.h>
#include <fitup/geometry/transform.h>
#include <fitup/mesh/feature_edge.h>
#include <fitup/mesh/ids.h>
#include <fitup/mesh/surface.h>
#include <fitup/mesh/surface_lookup.h>

namespace FITUP_EXPORT fitup {

/// Three indices into the points of a mesh.
using TriangleIndices = std::array<std::uint32_t, 3>;

/// What validation found; nothing of it is dropped from the mesh.
struct MeshValidation {
  std::uint32_t degenerateTriangles = 0;  ///< a segment or a point after rounding to storage
  double largestRounding = 0;             ///< |stored - given| of any coordinate, in the part's unit
};

/// How finely a CAD part was tessellated.
struct Deflection {
  double linear = 0;   ///< chord error bound, in the part's unit
  double angular = 0;  ///< radians
  friend bool operator==(const Deflection&, const Deflection&) = default;
};

/// The triangles of one part, grouped into surfaces. Immutable; copies share the arrays. Built and validated
/// by `TriangleMeshBuilder`.
///
/// Frames: *local* coordinates are 32-bit floats around a double origin; a point of the *part* frame is
/// origin + double(local) (architecture, section 4.2). Units are the file's, converted by the importer.
class TriangleMesh {
 public:
  /// Everything the mesh holds, as a model file stores it.
  struct Data {
    std::string name;
    Vec3 origin;  ///< of the local coordinates, in the part frame
    SharedArray<Point3f> points;
    SharedArray<TriangleIndices> triangles;
    SharedArray<std::uint32_t> sourceTriangles;  ///< per triangle: its index in the source
    std::vector<Surface> surfaces;
    SharedArray<FeatureEdge>
        featureEdges;  ///< of meshes made from CAD shapes; follow each other in edgePoints
    SharedArray<std::uint32_t> edgePoints;  ///< indices into the points
    std::optional<Deflection> deflection;
    MeshValidation validation;
  };

  TriangleMesh() = default;
  /// Checks every index, range and count and throws InputError, so that a damaged file cannot make an invalid
  /// mesh.
  explicit TriangleMesh(Data data);
  /// The mesh of a user's arrays, as `TriangleMeshBuilder` makes it: points in the part frame, three indices
  /// a triangle. `surfaceOfTriangle`: for each triangle any number that stands for its surface, which has it
  /// as `Surface::tag`; surfaces are in the order of these numbers, triangles of one in theirs, and
  /// `sourceTriangle` is the index in the arrays. Empty: one surface. Throws as the builder, and InputError
  /// for another count of numbers than triangles.
  static TriangleMesh from(std::span<const Vec3> points, std::span<const TriangleIndices> triangles,
                           std::span<const std::uint64_t> surfaceOfTriangle = {}, std::string name = {});
  ~TriangleMesh() = default;
  TriangleMesh(const TriangleMesh&) = default;
  TriangleMesh& operator=(const TriangleMesh&) = default;
  /// Leaves the source a mesh without triangles.
  TriangleMesh(TriangleMesh&& other) noexcept { swap(other); }
  TriangleMesh& operator=(TriangleMesh&& other) noexcept {
    TriangleMesh taken(std::move(other));
    swap(taken);
    return *this;
  }

  [[nodiscard]] const std::string& name() const noexcept { return data_.name; }
  [[nodiscard]] const Vec3& origin() const noexcept { return data_.origin; }
  [[nodiscard]] std::span<const Point3f> points() const noexcept { return data_.points.span(); }
  [[nodiscard]] std::span<const TriangleIndices> triangles() const noexcept { return data_.triangles.span(); }
  [[nodiscard]] std::span<const Surface> surfaces() const noexcept { return data_.surfaces; }
  [[nodiscard]] std::size_t triangleCount() const noexcept { return data_.triangles.size(); }
  /// Edges of the CAD shape; none of other meshes. Edges along which a face could not be tessellated are left
  /// out.
  [[nodiscard]] std::span<const FeatureEdge> featureEdges() const noexcept {
    return data_.featureEdges.span();
  }
  /// Indices of an edge's points.
  [[nodiscard]] std::span<const std::uint32_t> edgePoints(const FeatureEdge& edge) const noexcept {
    return data_.edgePoints.span().subspan(edge.firstPoint, edge.pointCount);
  }
  [[nodiscard]] std::uint32_t sourceTriangle(TriangleId id) const noexcept {
    return data_.sourceTriangles[index(id)];
  }
  [[nodiscard]] SurfaceId surfaceOf(TriangleId id) const noexcept { return lookup_.surfaceOf(id); }
  [[nodiscard]] const std::optional<Deflection>& deflection() const noexcept { return data_.deflection; }
  [[nodiscard]] const MeshValidation& validation() const noexcept { return data_.validation; }
  /// Box of all points that a triangle uses, in local coordinates.
  [[nodiscard]] const Aabb& bounds() const noexcept { return bounds_; }
  /// The same in the part frame.
  [[nodiscard]] Box boundsInPart() const noexcept;
  /// Over origin, points, triangles and the surfaces' ranges, not over feature edges: equal contents, equal
  /// hash, on every machine.
  [[nodiscard]] std::uint64_t contentHash() const noexcept { return contentHash_; }

  /// Corners in local coordinates, exact.
  [[nodiscard]] Triangle triangle(TriangleId id) const noexcept {
    const TriangleIndices& t = data_.triangles[index(id)];
    return {{toVec3(data_.points[t[0]]), toVec3(data_.points[t[1]]), toVec3(data_.points[t[2]])}};
  }
  [[nodiscard]] Aabb triangleBounds(TriangleId id) const noexcept {
    Aabb box;
    for (std::uint32_t p : data_.triangles[index(id)]) box.extend(data_.points[p]);
    return box;
  }
  /// A corner in the part frame.
  [[nodiscard]] Vec3 pointInPart(std::uint32_t point) const noexcept {
    return origin() + toVec3(data_.points[point]);
  }

  [[nodiscard]] const Data& data() const noexcept { return data_; }

 private:
  /// `contentHash` without origin, points and triangles.
  static std::uint64_t hashOfNothing() noexcept;
  void swap(TriangleMesh& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(lookup_, other.lookup_);
    std::swap(bounds_, other.bounds_);
    std::swap(contentHash_, other.contentHash_);
  }

  Data data_;
  SurfaceLookup lookup_;
  Aabb bounds_;
  std::uint64_t contentHash_ = hashOfNothing();
};

/// Collects points and triangles and builds a validated mesh.
///
/// Points are given in the part frame in double precision. Triangles go to the surface begun last; a builder
/// without surfaces makes one. Throws InputError naming the element for coordinates that are not finite and
/// for indices out of range, RangeError for magnitudes above `limits::largest`.
class TriangleMeshBuilder {
 public:
  explicit TriangleMeshBuilder(std::string name) : name_(std::move(name)) {}

  std::uint32_t addPoint(const Vec3& pointInPart);
  SurfaceId beginSurface(std::string name = {}, std::optional<Colour> colour = {},
                         std::optional<SurfaceDescription> description = {}, std::uint64_t tag = 0);
  /// Indices as `addPoint` returned them. The source index is the count of triangles so far unless given.
  void addTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                   std::optional<std::uint32_t> sourceIndex = {});
  void setDeflection(Deflection deflection) { deflection_ = deflection; }
  /// An edge of the CAD shape along points as `addPoint` returned them, at least two, between a surface that
  /// was begun and another one, which may be the same, or none. `build` leaves out edges of which no triangle
  /// uses some point.
  void addFeatureEdge(std::span<const std::uint32_t> points, SurfaceId face, std::optional<SurfaceId> other);

  [[nodiscard]] std::size_t pointCount() const noexcept { return points_.size(); }
  [[nodiscard]] std::size_t triangleCount() const noexcept { return triangles_.size(); }
  [[nodiscard]] std::size_t surfaceCount() const noexcept { return surfaces_.size(); }

  /// For each point that `build` gives its mesh: the index by which `addPoint` returned it. Points that no
  /// triangle uses are left out, none are merged, the order stays.
  [[nodiscard]] std::vector<std::uint32_t> keptPoints() const;

  /// Leaves the builder as it was; may be called again after more was added.
  [[nodiscard]] TriangleMesh build() const;

 private:
  std::string name_;
  std::vector<Vec3> points_;
  std::vector<TriangleIndices> triangles_;
  std::vector<std::uint32_t> sourceTriangles_;
  std::vector<Surface> surfaces_;
  std::vector<FeatureEdge> featureEdges_;
  std::vector<std::uint32_t> edgePoints_;
  std::optional<Deflection> deflection_;
};

/// The same triangles and surfaces with points elsewhere, as when a part is deformed: `pointsInPart[i]` is
/// where point i of the mesh is now, in double precision in the part frame. Shares triangles and source
/// indices with `mesh`.
///
/// The result is, to the last bit, the mesh that the builder makes of these positions: a new origin if they
/// need one, rounding, degenerate triangles and fingerprints found anew. Faces of which a point has moved (by
/// more than rounding to storage) lose their description, for a bent cylinder is none; the deflection is kept
/// only if none has moved. Points that no triangle uses are kept, and do not take part in the choice of
/// origin.
///
/// Throws InputError for another number of points and, naming the point, for coordinates that are not finite;
/// RangeError, naming the point, for magnitudes above `limits::largest`. Linear.
TriangleMesh withPoints(const TriangleMesh& mesh, std::span<const Vec3> pointsInPart);

/// The same triangles with their surfaces given anew: `surfaceOfTriangle[i]` is the ordinal (from 0, without
/// gaps) of triangle i of `mesh`. Used for raw meshes after segmentation. Feature edges, which are of the
/// former surfaces, are left out.
TriangleMesh withSurfaces(const TriangleMesh& mesh, std::span<const std::uint32_t> surfaceOfTriangle);

}  // namespace fitup
