#pragma once

#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Shape.hxx>
#include <gp_Pnt.hxx>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <fitup/base/disjoint_sets.h>

namespace fitup::importers {

/// Joins the triangles of a part's faces: faces that share an edge share the points along it, and each face
/// reaches all of its edges. So a closed shell has a watertight mesh. Open CASCADE gives each face points of
/// its own, and sometimes none along a stretch of an edge: where two edges are so close that their chords
/// cross, or where it merged two vertices.
///
/// First call `add` for all faces, beginning with those that are divided as the part is, then `triangles` for
/// any.
class JoinedFaces {
 public:
  using Triangle = std::array<std::uint32_t, 3>;  ///< points, by their places in `points`

  /// `reach`: the largest distance from an edge of triangles that are added along it. `faces`: the number of
  /// faces, which count from 0. The part's frame is the shape's.
  JoinedFaces(const TopoDS_Shape& part, std::size_t faces, double reach);

  /// Adds a face with its own triangulation, if any. A face that is added again is replaced.
  void add(std::size_t number, const TopoDS_Face& face);
  /// Adds a face with the triangulations of its substitutes: another shape of the same form in the same
  /// frame.
  void add(std::size_t number, const TopoDS_Face& face, const TopoDS_Shape& insteadOfIt);

  /// Computes points for the edges of the face along which no face has any yet.
  void divideUnknownEdges(std::size_t number, double deflection, double angle);

  struct FaceTriangles {
    std::vector<Triangle> triangles;
    /// The triangles end exactly at the face's edges. False if points of an edge are unknown.
    bool reachesEdges = true;
  };
  [[nodiscard]] FaceTriangles triangles(std::size_t number);
  /// An edge between faces that reach it.
  struct FaceEdge {
    std::vector<std::uint32_t>
        points;  ///< two at least, along the edge's curve; a closed edge repeats the first
    std::size_t face;
    std::optional<std::size_t> other;  ///< the same face at a seam
  };
  /// Returns the edges in the order of the shape. An edge of more than two faces gives one item for the first
  /// face with each of the others. `reached`, by face: it has triangles up to its edges; edges of other faces
  /// are left out.
  [[nodiscard]] std::vector<FaceEdge> edges(const std::vector<bool>& reached);
  /// In the part's frame.
  [[nodiscard]] const std::vector<gp_Pnt>& points() const noexcept { return points_; }
  /// The largest distance that a corner of a face was moved to match its neighbour's.
  [[nodiscard]] double largestShift() const noexcept { return largestShift_; }

 private:
  /// One use of an edge by a face.
  struct EdgeUse {
    std::size_t edge;
    bool isForward;
  };
  struct Face {
    std::vector<Triangle> triangles;
    std::vector<EdgeUse> edges;
  };
  struct Segment {
    std::uint32_t from, to;
    bool isOfEdge;  ///< otherwise of the boundary that the triangles have instead
  };

  void addTriangles(const TopoDS_Face& face, const std::vector<std::uint32_t>& pointOfNode,
                    std::vector<Triangle>& triangles) const;
  void joinAlongEdge(const TopoDS_Edge& edge, const TopoDS_Face& face,
                     std::vector<std::optional<std::uint32_t>>& pointOfNode);
  [[nodiscard]] std::vector<EdgeUse> edgesOf(const TopoDS_Face& face) const;
  std::uint32_t pointOfVertex(const TopoDS_Shape& vertex, const gp_Pnt& at);
  /// Makes a node of a face and this point the same point.
  void join(std::optional<std::uint32_t>& node, std::uint32_t point, const gp_Pnt& at);
  std::uint32_t addPoint(const gp_Pnt& at);
  /// Returns the segments that the boundary of the face's triangles lacks to match its edges, and its
  /// superfluous segments, reversed.
  [[nodiscard]] std::vector<Segment> lackingAlongEdges(const Face& face);
  /// Returns false if a part is not filled.
  bool fill(const std::vector<Segment>& lacking, std::vector<Triangle>& triangles) const;
  bool fillLoop(const std::vector<std::uint32_t>& loop, std::vector<Triangle>& triangles) const;

  double reach_;
  TopTools_IndexedMapOfShape edges_, vertices_;
  std::vector<std::vector<std::uint32_t>> pointsOfEdge_;  ///< in the order of its curve; empty if unknown
  std::vector<std::optional<std::uint32_t>> pointOfVertex_;
  std::vector<Face> faces_;
  std::vector<gp_Pnt> points_;
  DisjointSets same_{0};  ///< points that are the same point
  double largestShift_ = 0;
};

}  // namespace fitup::importers
