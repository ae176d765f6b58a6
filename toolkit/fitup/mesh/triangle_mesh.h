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

/// Findings of validation. The mesh keeps all triangles.
struct MeshValidation {
  std::uint32_t degenerateTriangles = 0;  ///< a segment or a point after rounding to storage
  double largestRounding = 0;  ///< largest |stored - given| over all coordinates, in the part's unit
};

/// The fineness of the tessellation of a CAD part.
struct Deflection {
  double linear = 0;   ///< chord error bound, in the part's unit
  double angular = 0;  ///< radians
  friend bool operator==(const Deflection&, const Deflection&) = default;
};

/// The triangles of one part, grouped into surfaces. Immutable; copies share the arrays.
/// `TriangleMeshBuilder` builds and validates it.
///
/// Frames: *local* coordinates are 32-bit floats around a double origin; a point of the *part* frame is
/// origin + double(local). Units are those of the file after conversion by the
/// importer.
class TriangleMesh {
 public:
  /// All data of the mesh, as a model file stores it.
  struct Data {
    std::string name;
    Vec3 origin;  ///< of the local coordinates, in the part frame
    SharedArray<Point3f> points;
    SharedArray<TriangleIndices> triangles;
    SharedArray<std::uint32_t> sourceTriangles;  ///< by triangle: its index in the source
    std::vector<Surface> surfaces;
    SharedArray<FeatureEdge> featureEdges;  ///< of CAD shapes; their ranges of edgePoints are consecutive
    SharedArray<std::uint32_t> edgePoints;  ///< indices into the points
    std::optional<Deflection> deflection;
    MeshValidation validation;
  };

  TriangleMesh() = default;
  /// Checks every index, range and count. Throws InputError, so that a damaged file cannot make an invalid
  /// mesh.
  explicit TriangleMesh(Data data);
  /// Makes a mesh from arrays, as `TriangleMeshBuilder` does: points in the part frame, three indices per
  /// triangle. `surfaceOfTriangle` holds for each triangle any number that stands for its surface and becomes
  /// its `Surface::tag`. Surfaces are in the order of these numbers; the triangles of a surface keep their
  /// order, and `sourceTriangle` is the index in the arrays. Empty: one surface. Throws as the builder, and
  /// InputError unless there is one number for each triangle.
  static TriangleMesh from(std::span<const Vec3> points, std::span<const TriangleIndices> triangles,
                           std::span<const std::uint64_t> surfaceOfTriangle = {}, std::string name = {});
  ~TriangleMesh() = default;
  TriangleMesh(const TriangleMesh&) = default;
  TriangleMesh& operator=(const TriangleMesh&) = default;
  /// Leaves the source as a mesh without triangles.
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
  /// Edges of the CAD shape; empty for other meshes. Edges along which a face could not be tessellated are
  /// omitted.
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
  /// `Surface::chordError` or, if it is not known, the deflection of the mesh; empty if neither is known.
  [[nodiscard]] std::optional<double> chordErrorOf(SurfaceId id) const noexcept {
    const std::optional<double>& own = data_.surfaces[index(id)].chordError;
    return own || !data_.deflection ? own : std::optional(data_.deflection->linear);
  }
  [[nodiscard]] const MeshValidation& validation() const noexcept { return data_.validation; }
  /// Box, in local coordinates, of all points that triangles use.
  [[nodiscard]] const Aabb& bounds() const noexcept { return bounds_; }
  /// The same box in the part frame.
  [[nodiscard]] Box boundsInPart() const noexcept;
  /// Hash over origin, points, triangles and the ranges of the surfaces, without feature edges. Equal
  /// contents have equal hashes on every machine.
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
  /// Position of a point in the part frame.
  [[nodiscard]] Vec3 pointInPart(std::uint32_t point) const noexcept {
    return origin() + toVec3(data_.points[point]);
  }

  [[nodiscard]] const Data& data() const noexcept { return data_; }

 private:
  /// `contentHash` of a mesh without points and triangles.
  static std::uint64_t emptyMeshHash() noexcept;
  void swap(TriangleMesh& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(lookup_, other.lookup_);
    std::swap(bounds_, other.bounds_);
    std::swap(contentHash_, other.contentHash_);
  }

  Data data_;
  SurfaceLookup lookup_;
  Aabb bounds_;
  std::uint64_t contentHash_ = emptyMeshHash();
};

/// Collects points and triangles and builds a validated mesh.
///
/// Points are given in the part frame in double precision. Triangles go to the surface begun last; without
/// one, the builder makes one. Throws InputError, which names the element, for coordinates that are not
/// finite and for indices out of range, and RangeError for magnitudes above `limits::largest`.
class TriangleMeshBuilder {
 public:
  explicit TriangleMeshBuilder(std::string name) : name_(std::move(name)) {}

  std::uint32_t addPoint(const Vec3& pointInPart);
  SurfaceId beginSurface(std::string name = {}, std::optional<Colour> colour = {},
                         std::optional<SurfaceDescription> description = {}, std::uint64_t tag = 0);
  /// Sets `Surface::chordError` of the surface begun last. Throws InputError if there is none.
  void setChordError(double error);
  /// Takes indices that `addPoint` returned. The default source index is the number of triangles so far.
  void addTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                   std::optional<std::uint32_t> sourceIndex = {});
  void setDeflection(Deflection deflection) { deflection_ = deflection; }
  /// Adds an edge of the CAD shape along at least two points that `addPoint` returned. It lies between a
  /// surface that was begun and another one, which may be the same, or none. `build` omits edges with a point
  /// that no triangle uses.
  void addFeatureEdge(std::span<const std::uint32_t> points, SurfaceId face, std::optional<SurfaceId> other);

  [[nodiscard]] std::size_t pointCount() const noexcept { return points_.size(); }
  [[nodiscard]] std::size_t triangleCount() const noexcept { return triangles_.size(); }
  [[nodiscard]] std::size_t surfaceCount() const noexcept { return surfaces_.size(); }

  /// For each point of the mesh that `build` makes: its index from `addPoint`. Points that no triangle uses
  /// are omitted. Points are not merged, and their order does not change.
  [[nodiscard]] std::vector<std::uint32_t> keptPoints() const;

  /// Builds the mesh. Does not change the builder, so more can be added before the next call.
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

/// Returns the same triangles and surfaces with moved points, as for a deformed part: `pointsInPart[i]` is
/// the new position of point i of the mesh, in double precision in the part frame. Shares triangles and
/// source indices with `mesh`.
///
/// The result equals, to the last bit, the mesh that the builder makes from these positions: it has a new
/// origin if needed, and rounding, degenerate triangles and fingerprints are computed anew. Faces with a
/// point that moved by more than the rounding to storage lose their description, because a bent cylinder is
/// no longer one. The deflection is kept only if no point moved. Points that no triangle uses are kept, and
/// do not affect the choice of origin.
///
/// Throws InputError unless there is one position for each point. For coordinates that are not finite it
/// throws InputError, for magnitudes above `limits::largest` RangeError; both name the point. Linear.
TriangleMesh withPoints(const TriangleMesh& mesh, std::span<const Vec3> pointsInPart);

/// Returns the same triangles with new surfaces: `surfaceOfTriangle[i]` is the ordinal (from 0, without gaps)
/// of the surface of triangle i of `mesh`. Used for raw meshes after segmentation. Feature edges belong to
/// the former surfaces and are omitted.
TriangleMesh withSurfaces(const TriangleMesh& mesh, std::span<const std::uint32_t> surfaceOfTriangle);

}  // namespace fitup
