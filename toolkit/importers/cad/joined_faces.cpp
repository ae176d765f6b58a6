#include "joined_faces.h"

#include <BRepAdaptor_Curve.hxx>
#include <BRep_Tool.hxx>
#include <GCPnts_TangentialDeflection.hxx>
#include <Poly_PolygonOnTriangulation.hxx>
#include <Poly_Triangulation.hxx>
#include <Precision.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Vertex.hxx>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "face_description.h"

namespace fitup::importers {
namespace {

/// The largest number of corners of a loop along edges; a longer one means a broken face, not a stretch of an
/// edge.
constexpr std::size_t longestLoop = 400;

double heightOf(const gp_Pnt& a, const gp_Pnt& b, const gp_Pnt& c) {
  const gp_Vec ab(a, b), ac(a, c), bc(b, c);
  const double longest = std::max({ab.Magnitude(), ac.Magnitude(), bc.Magnitude()});
  return longest > 0 ? ab.Crossed(ac).Magnitude() / longest : 0;
}

}  // namespace

JoinedFaces::JoinedFaces(const TopoDS_Shape& part, std::size_t faces, double reach)
    : reach_(reach), faces_(faces) {
  TopExp::MapShapes(part, TopAbs_EDGE, edges_);
  TopExp::MapShapes(part, TopAbs_VERTEX, vertices_);
  pointsOfEdge_.resize(static_cast<std::size_t>(edges_.Extent()));
  pointOfVertex_.resize(static_cast<std::size_t>(vertices_.Extent()));
}

std::uint32_t JoinedFaces::addPoint(const gp_Pnt& at) {
  points_.push_back(at);
  return same_.add();
}

std::uint32_t JoinedFaces::pointOfVertex(const TopoDS_Shape& vertex, const gp_Pnt& at) {
  const int place = vertex.IsNull() ? 0 : vertices_.FindIndex(vertex);
  if (place == 0) return addPoint(at);
  std::optional<std::uint32_t>& point = pointOfVertex_[static_cast<std::size_t>(place - 1)];
  if (!point) point = addPoint(at);
  return *point;
}

void JoinedFaces::join(std::optional<std::uint32_t>& node, std::uint32_t point, const gp_Pnt& at) {
  largestShift_ = std::max(largestShift_, at.Distance(points_[point]));
  if (node) {
    largestShift_ = std::max(largestShift_, points_[*node].Distance(points_[point]));
    same_.unite(*node, point);
  } else {
    node = point;
  }
}

std::vector<JoinedFaces::EdgeUse> JoinedFaces::edgesOf(const TopoDS_Face& face) const {
  std::vector<EdgeUse> uses;
  // A mirrored location reverses the winding, but not the directions of the face's edges.
  const bool mirrored = isMirrored(face.Location().Transformation());
  for (TopExp_Explorer explorer(face, TopAbs_EDGE); explorer.More(); explorer.Next()) {
    const TopoDS_Edge& edge = TopoDS::Edge(explorer.Current());
    const bool bounds = edge.Orientation() == TopAbs_FORWARD || edge.Orientation() == TopAbs_REVERSED;
    if (const int place = edges_.FindIndex(edge); bounds && place > 0 && !BRep_Tool::Degenerated(edge))
      uses.push_back(
          {static_cast<std::size_t>(place - 1), (edge.Orientation() == TopAbs_FORWARD) != mirrored});
  }
  return uses;
}

void JoinedFaces::joinAlongEdge(const TopoDS_Edge& edge, const TopoDS_Face& face,
                                std::vector<std::optional<std::uint32_t>>& pointOfNode) {
  TopLoc_Location location;
  const Handle(Poly_Triangulation)& mesh = BRep_Tool::Triangulation(face, location);
  const Handle(Poly_PolygonOnTriangulation) along = BRep_Tool::PolygonOnTriangulation(edge, mesh, location);
  const int place = edges_.FindIndex(edge);
  if (along.IsNull() || place == 0) return;
  const auto at = [&](int k) { return mesh->Node(along->Node(k)).Transformed(location.Transformation()); };
  const auto node = [&](int k) -> std::optional<std::uint32_t>& {
    return pointOfNode[static_cast<std::size_t>(along->Node(k) - 1)];
  };
  const TopoDS_Edge curve = TopoDS::Edge(edge.Oriented(TopAbs_FORWARD));
  const int count = along->NbNodes();
  const std::uint32_t first = pointOfVertex(TopExp::FirstVertex(curve), at(1)),
                      last = pointOfVertex(TopExp::LastVertex(curve), at(count));
  if (BRep_Tool::Degenerated(edge)) {  // the whole edge is one point
    for (int k = 1; k <= count; ++k) join(node(k), first, at(k));
    return;
  }
  std::vector<std::uint32_t>& points = pointsOfEdge_[static_cast<std::size_t>(place - 1)];
  if (points.empty()) {
    points.push_back(first);
    for (int k = 2; k < count; ++k) points.push_back(node(k) ? *node(k) : addPoint(at(k)));
    points.push_back(last);
  }
  join(node(1), points.front(), at(1));
  join(node(count), points.back(), at(count));
  // If the edge was divided differently for another face, that face's points apply.
  if (points.size() == static_cast<std::size_t>(count))
    for (int k = 2; k < count; ++k) join(node(k), points[static_cast<std::size_t>(k - 1)], at(k));
}

void JoinedFaces::addTriangles(const TopoDS_Face& face, const std::vector<std::uint32_t>& pointOfNode,
                               std::vector<Triangle>& triangles) const {
  TopLoc_Location location;
  const Handle(Poly_Triangulation)& mesh = BRep_Tool::Triangulation(face, location);
  // A mirrored location reverses the winding, as a reversed face does.
  const bool flip = (face.Orientation() == TopAbs_REVERSED) != isMirrored(location.Transformation());
  for (int i = 1; i <= mesh->NbTriangles(); ++i) {
    int a = 0, b = 0, c = 0;
    mesh->Triangle(i).Get(a, b, c);
    if (flip) std::swap(b, c);
    triangles.push_back({pointOfNode[static_cast<std::size_t>(a - 1)],
                         pointOfNode[static_cast<std::size_t>(b - 1)],
                         pointOfNode[static_cast<std::size_t>(c - 1)]});
  }
}

void JoinedFaces::add(std::size_t number, const TopoDS_Face& face) {
  Face& added = faces_[number] = {};
  added.edges = edgesOf(face);
  TopLoc_Location location;
  const Handle(Poly_Triangulation)& mesh = BRep_Tool::Triangulation(face, location);
  if (mesh.IsNull()) return;
  std::vector<std::optional<std::uint32_t>> pointOfNode(static_cast<std::size_t>(mesh->NbNodes()));
  for (TopExp_Explorer edge(face, TopAbs_EDGE); edge.More(); edge.Next())
    joinAlongEdge(TopoDS::Edge(edge.Current()), face, pointOfNode);
  std::vector<std::uint32_t> points;
  for (int i = 1; i <= mesh->NbNodes(); ++i) {
    const auto& known = pointOfNode[static_cast<std::size_t>(i - 1)];
    points.push_back(known ? *known : addPoint(mesh->Node(i).Transformed(location.Transformation())));
  }
  addTriangles(face, points, added.triangles);
}

void JoinedFaces::add(std::size_t number, const TopoDS_Face& face, const TopoDS_Shape& insteadOfIt) {
  Face& added = faces_[number] = {};
  added.edges = edgesOf(face);
  using Position = std::array<double, 3>;
  const auto positionOf = [](const gp_Pnt& p) { return Position{p.X(), p.Y(), p.Z()}; };
  // The face's own corners, which its pieces share only by position, and the ends of its edges.
  std::map<Position, std::uint32_t> pointAt;
  std::vector<std::uint32_t> ends;
  for (TopExp_Explorer vertex(face, TopAbs_VERTEX); vertex.More(); vertex.Next())
    ends.push_back(pointOfVertex(vertex.Current(), BRep_Tool::Pnt(TopoDS::Vertex(vertex.Current()))));
  for (const EdgeUse& use : added.edges)
    for (const std::uint32_t point : pointsOfEdge_[use.edge])
      pointAt.emplace(positionOf(points_[point]), point);
  for (TopExp_Explorer piece(insteadOfIt, TopAbs_FACE); piece.More(); piece.Next()) {
    TopLoc_Location location;
    const Handle(Poly_Triangulation)& mesh =
        BRep_Tool::Triangulation(TopoDS::Face(piece.Current()), location);
    if (mesh.IsNull()) continue;
    std::vector<std::uint32_t> points;
    for (int i = 1; i <= mesh->NbNodes(); ++i) {
      const gp_Pnt at = mesh->Node(i).Transformed(location.Transformation());
      const auto [known, isNew] = pointAt.emplace(positionOf(at), 0);
      if (isNew) {
        const auto end = std::find_if(ends.begin(), ends.end(), [&](std::uint32_t point) {
          return points_[point].Distance(at) <= Precision::Confusion();
        });
        known->second = end != ends.end() ? *end : addPoint(at);
      }
      points.push_back(known->second);
    }
    addTriangles(TopoDS::Face(piece.Current()), points, added.triangles);
  }
}

std::vector<JoinedFaces::Segment> JoinedFaces::lackingAlongEdges(const Face& face) {
  struct Counted {
    std::array<std::uint32_t, 2> ends;
    int times;
    bool isOfEdge;
  };
  std::vector<Counted> counted;
  const auto count = [&](std::uint32_t from, std::uint32_t to, int times, bool isOfEdge) {
    if (from < to) counted.push_back({{from, to}, times, isOfEdge});
    if (from > to) counted.push_back({{to, from}, -times, isOfEdge});
  };
  for (const EdgeUse& use : face.edges) {
    const auto& points = pointsOfEdge_[use.edge];
    for (std::size_t k = 0; k + 1 < points.size(); ++k)
      count(same_.find(points[k]), same_.find(points[k + 1]), use.isForward ? 1 : -1, true);
  }
  for (const Triangle& triangle : face.triangles)
    for (std::size_t k = 0; k < 3; ++k)
      count(same_.find(triangle[k]), same_.find(triangle[(k + 1) % 3]), -1, false);
  std::sort(counted.begin(), counted.end(),
            [](const Counted& a, const Counted& b) { return a.ends < b.ends; });
  std::vector<Segment> lacking;
  for (std::size_t i = 0; i < counted.size();) {
    const std::array<std::uint32_t, 2> ends = counted[i].ends;
    int ofEdge = 0, ofTriangles = 0;
    for (; i < counted.size() && counted[i].ends == ends; ++i)
      (counted[i].isOfEdge ? ofEdge : ofTriangles) += counted[i].times;
    int times = ofEdge + ofTriangles;
    for (; times > 0; --times) lacking.push_back({ends[0], ends[1], ofEdge != 0});
    for (; times < 0; ++times) lacking.push_back({ends[1], ends[0], ofEdge != 0});
  }
  return lacking;
}

/// Each loop goes along edges first and returns along the triangles as soon as possible, so it is narrow.
bool JoinedFaces::fill(const std::vector<Segment>& lacking, std::vector<Triangle>& triangles) const {
  std::map<std::uint32_t, std::array<std::vector<std::uint32_t>, 2>> next;  // along triangles, along edges
  for (const Segment& segment : lacking) next[segment.from][segment.isOfEdge ? 1 : 0].push_back(segment.to);
  // Best from a point where a boundary arrives and an edge leaves; from any point if there is none.
  bool isFilled = true;
  std::vector<std::uint32_t> starts;
  for (const Segment& segment : lacking)
    if (!segment.isOfEdge && !next[segment.to][1].empty()) starts.push_back(segment.to);
  for (const Segment& segment : lacking) starts.push_back(segment.from);
  for (const std::uint32_t start : starts) {
    while (!next[start][0].empty() || !next[start][1].empty()) {
      std::vector<std::uint32_t> loop;
      std::uint32_t at = start;
      bool onEdge = false;
      while (true) {
        auto& to = next[at];
        const bool mayTurn = !to[onEdge ? 0 : 1].empty();
        if (!loop.empty() && at == start && !mayTurn) break;
        if (mayTurn)
          onEdge = !onEdge;
        else if (to[onEdge ? 1 : 0].empty())
          return false;  // not a closed chain, because not all of the face's edges are known
        loop.push_back(at);
        at = to[onEdge ? 1 : 0].back();
        next[loop.back()][onEdge ? 1 : 0].pop_back();
      }
      isFilled = fillLoop(loop, triangles) && isFilled;
    }
  }
  return isFilled;
}

/// Fills the loop with the triangles of least total area, or not at all if one of them is not a sliver.
bool JoinedFaces::fillLoop(const std::vector<std::uint32_t>& loop, std::vector<Triangle>& triangles) const {
  const std::size_t n = loop.size();
  if (n < 3) return true;  // there and back
  if (n > longestLoop) return false;
  const auto at = [&](std::size_t i) -> const gp_Pnt& { return points_[loop[i]]; };
  std::vector<double> least(n * n, 0);
  std::vector<std::size_t> apex(n * n, 0);
  for (std::size_t length = 2; length < n; ++length)
    for (std::size_t i = 0; i + length < n; ++i) {
      const std::size_t j = i + length;
      double& best = least[i * n + j] = std::numeric_limits<double>::infinity();
      for (std::size_t k = i + 1; k < j; ++k) {
        const double area = gp_Vec(at(i), at(k)).Crossed(gp_Vec(at(i), at(j))).Magnitude();
        const double sum = least[i * n + k] + least[k * n + j] + area;
        if (sum < best) {
          best = sum;
          apex[i * n + j] = k;
        }
      }
    }
  std::vector<Triangle> added;
  std::vector<std::array<std::size_t, 2>> open{{0, n - 1}};
  while (!open.empty()) {
    const auto [i, j] = open.back();
    open.pop_back();
    if (j - i < 2) continue;
    const std::size_t k = apex[i * n + j];
    if (!(heightOf(at(i), at(k), at(j)) <= reach_)) return false;
    added.push_back({loop[i], loop[k], loop[j]});
    open.push_back({i, k});
    open.push_back({k, j});
  }
  triangles.insert(triangles.end(), added.begin(), added.end());
  return true;
}

void JoinedFaces::divideUnknownEdges(std::size_t number, double deflection, double angle) {
  for (const EdgeUse& use : faces_[number].edges) {
    std::vector<std::uint32_t>& points = pointsOfEdge_[use.edge];
    if (!points.empty()) continue;
    const TopoDS_Edge edge = TopoDS::Edge(edges_(static_cast<int>(use.edge) + 1).Oriented(TopAbs_FORWARD));
    const GCPnts_TangentialDeflection divided(BRepAdaptor_Curve(edge), angle, deflection);
    const int count = divided.NbPoints();
    for (int k = 1; k <= count; ++k) {
      const gp_Pnt at = divided.Value(k);
      points.push_back(k == 1       ? pointOfVertex(TopExp::FirstVertex(edge), at)
                       : k == count ? pointOfVertex(TopExp::LastVertex(edge), at)
                                    : addPoint(at));
    }
  }
}

JoinedFaces::FaceTriangles JoinedFaces::triangles(std::size_t number) {
  FaceTriangles result;
  for (const Triangle& triangle : faces_[number].triangles) {
    const Triangle joined{same_.find(triangle[0]), same_.find(triangle[1]), same_.find(triangle[2])};
    const bool isPoint = joined[0] == joined[1] || joined[1] == joined[2] || joined[2] == joined[0];
    if (!isPoint) result.triangles.push_back(joined);
  }
  if (const auto lacking = lackingAlongEdges(faces_[number]); !lacking.empty())
    result.reachesEdges = fill(lacking, result.triangles);
  return result;
}

std::vector<JoinedFaces::FaceEdge> JoinedFaces::edges(const std::vector<bool>& reached) {
  std::vector<std::vector<std::size_t>> usersOf(pointsOfEdge_.size());
  for (std::size_t i = 0; i < faces_.size(); ++i)
    for (const EdgeUse& use : faces_[i].edges) usersOf[use.edge].push_back(i);
  std::vector<FaceEdge> result;
  for (std::size_t e = 0; e < usersOf.size(); ++e) {
    const std::vector<std::size_t>& users = usersOf[e];
    if (users.empty() || !std::all_of(users.begin(), users.end(), [&](std::size_t i) { return reached[i]; }))
      continue;
    std::vector<std::uint32_t> points;
    for (const std::uint32_t point : pointsOfEdge_[e])
      if (const std::uint32_t joined = same_.find(point); points.empty() || points.back() != joined)
        points.push_back(joined);
    if (points.size() < 2) continue;
    if (users.size() == 1) result.push_back({points, users[0], std::nullopt});
    for (std::size_t k = 1; k < users.size(); ++k) result.push_back({points, users[0], users[k]});
  }
  return result;
}

}  // namespace fitup::importers
