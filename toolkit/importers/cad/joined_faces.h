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

/// The triangles of a part's faces, joined: faces that share an edge share the points along it, and each face
/// reaches to all of its edges. Open CASCADE gives a face points of its own, and now and then none along a
/// stretch of an edge: where two edges run so near to each other that their chords cross, or where it merged
/// two vertices. So a closed shell has a closed mesh.
///
/// First `add` for all faces, those first that are divided as the part is, then `triangles` for any.
class JoinedFaces {
 public:
  using Triangle = std::array<std::uint32_t, 3>;  ///< points, by their places in `points`

  /// `reach`: how far triangles that are added along an edge may reach from it. `faces` are numbered from 0
  /// on. The part's frame is the shape's.
  JoinedFaces(const TopoDS_Shape& part, std::size_t faces, double reach);

  /// With the triangulation that it has; it may have none. A face that is added again is replaced.
  void add(std::size_t number, const TopoDS_Face& face);
  /// With that of the faces that stand for it: another shape of the same form, and of the same frame.
  void add(std::size_t number, const TopoDS_Face& face, const TopoDS_Shape& insteadOfIt);

  /// Finds points of the face's edges of which no face has any so far.
  void divideUnknownEdges(std::size_t number, double deflection, double angle);

  struct FaceTriangles {
    std::vector<Triangle> triangles;
    /// They end at the face's edges and nowhere else. False where points of an edge are not known.
    bool reachesEdges = true;
  };
  [[nodiscard]] FaceTriangles triangles(std::size_t number);
  /// An edge between faces that reach it.
  struct FaceEdge {
    std::vector<std::uint32_t>
        points;  ///< two at least, along the edge's curve; of a closed edge the first twice
    std::size_t face;
    std::optional<std::size_t> other;  ///< the same face at a seam
  };
  /// By the order of edges in the shape; an edge of more than two faces stands for the first with each of the
  /// others. `reached`, by face: it has triangles up to its edges; edges of another face are left out.
  [[nodiscard]] std::vector<FaceEdge> edges(const std::vector<bool>& reached);
  /// In the part's frame.
  [[nodiscard]] const std::vector<gp_Pnt>& points() const noexcept { return points_; }
  /// Farthest that a corner of a face was moved to be a neighbour's.
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
    bool isOfEdge;  ///< else of the boundary that the triangles have instead
  };

  void addTriangles(const TopoDS_Face& face, const std::vector<std::uint32_t>& pointOfNode,
                    std::vector<Triangle>& triangles) const;
  void joinAlongEdge(const TopoDS_Edge& edge, const TopoDS_Face& face,
                     std::vector<std::optional<std::uint32_t>>& pointOfNode);
  [[nodiscard]] std::vector<EdgeUse> edgesOf(const TopoDS_Face& face) const;
  std::uint32_t pointOfVertex(const TopoDS_Shape& vertex, const gp_Pnt& at);
  /// Says that a node of a face is this point.
  void join(std::optional<std::uint32_t>& node, std::uint32_t point, const gp_Pnt& at);
  std::uint32_t addPoint(const gp_Pnt& at);
  /// What the boundary of the face's triangles lacks to be its edges; what it has too much the other way
  /// round.
  [[nodiscard]] std::vector<Segment> lackingAlongEdges(const Face& face);
  /// False if something of it is not filled.
  bool fill(const std::vector<Segment>& lacking, std::vector<Triangle>& triangles) const;
  bool fillLoop(const std::vector<std::uint32_t>& loop, std::vector<Triangle>& triangles) const;

  double reach_;
  TopTools_IndexedMapOfShape edges_, vertices_;
  std::vector<std::vector<std::uint32_t>> pointsOfEdge_;  ///< in the order of its curve; empty: not known
  std::vector<std::optional<std::uint32_t>> pointOfVertex_;
  std::vector<Face> faces_;
  std::vector<gp_Pnt> points_;
  DisjointSets same_{0};  ///< points that turned out to be one
  double largestShift_ = 0;
};

}  // namespace fitup::importers
