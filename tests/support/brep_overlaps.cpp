// Computes what solids of a STEP or IGES file have in common with the Booleans of Open CASCADE alone, without
// any code of the toolkit or the importer. Arguments: FILE LINEAR RELATIVE ANGULAR SECONDS: the settings of
// the tessellation (`ImportSettings`), and the processor time after which the Booleans of a pair are given
// up. Prints lines, in mm, which `boolean_oracle.h` reads:
//
//   version TEXT                              Open CASCADE's
//   solid VOLUME CHORD X Y Z X Y Z            an occurrence of a solid, numbered from 0: chord error of its
//                                             tessellation, and the box of that in the world
//   pair I J STATE DEFECT VOLUME AREA BALL DEPTH SECONDS
//                                             two occurrences whose boxes overlap; see `SolidOverlap`
//   end                                       missing if the program did not finish
//
// Exits with 1 and the reason if Open CASCADE opens nothing.
#include <BOPAlgo_PaveFiller.hxx>
#include <BRepAlgoAPI_Common.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepGProp.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <GProp_GProps.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <Poly_Triangulation.hxx>
#include <Standard_Failure.hxx>
#include <Standard_Version.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_ListOfShape.hxx>
#include <TopoDS.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <gp_XYZ.hxx>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "brep_document.h"

namespace {

using namespace fitup::test::brep;

/// Relative error of the volumes behind changed faces.
constexpr double volumeError = 1e-8;
/// A Boolean counts if its volumes agree within this: V(A) + V(B) = V(union) + V(common), relative to the
/// smaller of V(A) and V(B).
constexpr double agreement = 1e-6;
/// The tolerances of the Boolean in mm, in turn until the volumes agree.
constexpr std::array<double, 2> fuzzyValues{0, 1e-4};
/// Points of the common surface at which inscribed balls are looked for, and the number of balls, the largest
/// ones, that are then moved to where they are larger.
constexpr int surfacePoints = 800, movedBalls = 8;

struct Triangle {
  std::array<gp_XYZ, 3> corner;
  gp_XYZ middle;  ///< centre of a ball around the triangle
  double radius = 0;
};

struct Nearest {
  double distance = std::numeric_limits<double>::infinity();
  gp_XYZ point;
};

gp_XYZ nearestOf(const Triangle& triangle, const gp_XYZ& p) {
  const auto& [a, b, c] = triangle.corner;
  const gp_XYZ ab = b - a, ac = c - a, normal = ab.Crossed(ac);
  if (const double square = normal.SquareModulus(); square > 0) {
    const gp_XYZ ap = p - a;
    const double v = ap.Crossed(ac).Dot(normal) / square, w = ab.Crossed(ap).Dot(normal) / square;
    if (v >= 0 && w >= 0 && v + w <= 1) return a + ab * v + ac * w;
  }
  gp_XYZ best = a;
  for (std::size_t i = 0; i < 3; ++i) {
    const gp_XYZ& from = triangle.corner[i];
    const gp_XYZ edge = triangle.corner[(i + 1) % 3] - from;
    const double square = edge.SquareModulus();
    const gp_XYZ on = from + edge * (square > 0 ? std::clamp(edge.Dot(p - from) / square, 0.0, 1.0) : 0.0);
    if ((on - p).SquareModulus() < (best - p).SquareModulus()) best = on;
  }
  return best;
}

/// The triangles of a shape in the world, facing outwards.
class Mesh {
 public:
  explicit Mesh(const TopoDS_Shape& shape) {
    for (TopExp_Explorer face(shape, TopAbs_FACE); face.More(); face.Next()) {
      TopLoc_Location location;
      const Handle(Poly_Triangulation) mesh =
          BRep_Tool::Triangulation(TopoDS::Face(face.Current()), location);
      if (mesh.IsNull()) continue;
      const gp_Trsf& world = location.Transformation();
      const bool isReversed = (face.Current().Orientation() == TopAbs_REVERSED) != world.IsNegative();
      for (int i = 1; i <= mesh->NbTriangles(); ++i) {
        std::array<int, 3> n{};
        mesh->Triangle(i).Get(n[0], n[1], n[2]);
        if (isReversed) std::swap(n[1], n[2]);
        Triangle& triangle = triangles_.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) triangle.corner[k] = mesh->Node(n[k]).Transformed(world).XYZ();
        triangle.middle = (triangle.corner[0] + triangle.corner[1] + triangle.corner[2]) / 3;
        for (const gp_XYZ& corner : triangle.corner)
          triangle.radius = std::max(triangle.radius, (corner - triangle.middle).Modulus());
      }
    }
  }

  [[nodiscard]] const std::vector<Triangle>& triangles() const { return triangles_; }
  [[nodiscard]] Nearest nearest(const gp_XYZ& p) const {
    Nearest best;
    for (const Triangle& triangle : triangles_) {
      if ((triangle.middle - p).Modulus() - triangle.radius >= best.distance) continue;
      const gp_XYZ on = nearestOf(triangle, p);
      if (const double distance = (on - p).Modulus(); distance < best.distance) best = {distance, on};
    }
    return best;
  }

 private:
  std::vector<Triangle> triangles_;
};

struct Ball {
  gp_XYZ centre;
  double radius = 0;
};

/// Shrinks a ball inside that touches the mesh at a point until no part of the mesh is in it.
Ball ballAt(const Mesh& mesh, const gp_XYZ& point, const gp_XYZ& inwards, double most) {
  double radius = most;
  for (int i = 0; i < 40; ++i) {
    const gp_XYZ centre = point + inwards * radius;
    const Nearest nearest = mesh.nearest(centre);
    if (nearest.distance >= radius * (1 - 1e-4)) return {centre, nearest.distance};
    const gp_XYZ chord = nearest.point - point;
    const double height = chord.Dot(inwards);
    if (height <= 0) return {point, 0};
    radius = std::min(radius * (1 - 1e-4), chord.SquareModulus() / (2 * height));
  }
  return {point, 0};
}

/// Moves the centre of a ball inside to where the ball is larger.
void enlarge(const Mesh& mesh, Ball& ball) {
  for (double step = ball.radius / 2; step > ball.radius * 1e-3;) {
    const double before = ball.radius;
    for (int axis = 1; axis <= 3; ++axis)
      for (const double sign : {-1.0, 1.0}) {
        gp_XYZ centre = ball.centre;
        centre.SetCoord(axis, centre.Coord(axis) + sign * step);
        if (const double radius = mesh.nearest(centre).distance; radius > ball.radius)
          ball = {centre, radius};
      }
    if (ball.radius <= before * (1 + 1e-6)) step /= 2;
  }
}

/// Returns inscribed balls, the largest first, of a solid of this volume.
std::vector<Ball> ballsIn(const Mesh& mesh, double volume) {
  gp_XYZ low = mesh.triangles().front().middle, high = low;
  std::vector<double> areaUpTo;
  double area = 0;
  for (const Triangle& triangle : mesh.triangles()) {
    const auto& [a, b, c] = triangle.corner;
    area += (b - a).Crossed(c - a).Modulus() / 2;
    areaUpTo.push_back(area);
    for (const gp_XYZ& corner : triangle.corner)
      for (int axis = 1; axis <= 3; ++axis) {
        low.SetCoord(axis, std::min(low.Coord(axis), corner.Coord(axis)));
        high.SetCoord(axis, std::max(high.Coord(axis), corner.Coord(axis)));
      }
  }
  std::vector<Ball> balls;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < surfacePoints; ++i) {
    const auto at =
        std::lower_bound(areaUpTo.begin(), areaUpTo.end(), (i + unit(random)) / surfacePoints * area);
    if (at == areaUpTo.end()) continue;
    const auto& [a, b, c] = mesh.triangles()[static_cast<std::size_t>(at - areaUpTo.begin())].corner;
    double v = unit(random), w = unit(random);
    if (v + w > 1) v = 1 - v, w = 1 - w;
    const gp_XYZ normal = (b - a).Crossed(c - a);
    if (!(normal.Modulus() > 0)) continue;
    balls.push_back(ballAt(mesh, a + (b - a) * v + (c - a) * w, normal.Normalized().Reversed(),
                           (high - low).Modulus() / 2));
  }
  // Where the mesh has a hole, or a layer has no thickness, a ball may grow out of it.
  const gp_XYZ extent = high - low;
  const double most = std::min(
      {extent.X() / 2, extent.Y() / 2, extent.Z() / 2, std::cbrt(std::max(volume, 0.0) * 3 / (4 * M_PI))});
  const auto isOutside = [&](const Ball& ball) { return ball.radius > most * 1.01; };
  const auto isLarger = [](const Ball& one, const Ball& other) { return one.radius > other.radius; };
  std::sort(balls.begin(), balls.end(), isLarger);
  for (std::size_t i = 0; i < balls.size() && i < movedBalls; ++i) enlarge(mesh, balls[i]);
  std::erase_if(balls, isOutside);
  std::sort(balls.begin(), balls.end(), isLarger);
  return balls;
}

double volumeOf(const TopoDS_Shape& shape) {
  GProp_GProps properties;
  BRepGProp::VolumeProperties(shape, properties);
  return properties.Mass();
}

/// Returns V(A) + V(B) - V(union) - V(common): the volume between the faces of the one side and those of the
/// other. Faces that the Boolean leaves as they are cancel, and with them the error of their quadrature.
double disagreementOf(const std::vector<TopoDS_Shape>& before, const std::vector<TopoDS_Shape>& after) {
  std::vector<TopoDS_Shape> faces;
  for (const TopoDS_Shape& shape : before)
    for (TopExp_Explorer face(shape, TopAbs_FACE); face.More(); face.Next()) faces.push_back(face.Current());
  for (const TopoDS_Shape& shape : after)
    for (TopExp_Explorer at(shape, TopAbs_FACE); at.More(); at.Next()) {
      const auto same = std::find_if(faces.begin(), faces.end(),
                                     [&](const TopoDS_Shape& face) { return face.IsEqual(at.Current()); });
      if (same != faces.end())
        faces.erase(same);
      else
        faces.push_back(at.Current().Reversed());
    }
  if (faces.empty()) return 0;
  TopoDS_Compound changed;
  const BRep_Builder builder;
  builder.MakeCompound(changed);
  for (const TopoDS_Shape& face : faces) builder.Add(changed, face);
  GProp_GProps properties;
  BRepGProp::VolumeProperties(changed, properties, volumeError);
  return properties.Mass();
}

struct Solid {
  TopoDS_Shape shape;
  double volume = 0, chord = 0;
  gp_XYZ low, high;
};

struct Overlap {
  const char* state = "failed";
  double defect = -1, volume = 0, area = 0, ball = 0, depth = 0;
};

bool boxesOverlap(const Solid& a, const Solid& b) {
  const double reach = a.chord + b.chord;
  for (int axis = 1; axis <= 3; ++axis)
    if (a.low.Coord(axis) > b.high.Coord(axis) + reach || b.low.Coord(axis) > a.high.Coord(axis) + reach)
      return false;
  return true;
}

/// Measures the solid that both have in common.
void measure(TopoDS_Shape common, const Solid& a, const Solid& b, Overlap& overlap) {
  GProp_GProps surface;
  BRepGProp::SurfaceProperties(common, surface);
  overlap.area = surface.Mass();
  // The triangles of the two solids do not fit its edges.
  const double chord = std::min(a.chord, b.chord) / 10;
  const Mesh meshOfA(a.shape), meshOfB(b.shape);
  BRepTools::Clean(common);
  BRepMesh_IncrementalMesh(common, chord, Standard_False, 0.3);
  const Mesh mesh(common);
  if (mesh.triangles().empty()) return;
  const std::vector<Ball> balls = ballsIn(mesh, overlap.volume);
  if (!balls.empty()) overlap.ball = std::max(0.0, balls.front().radius - chord);
  const auto deepenTo = [&](const gp_XYZ& point) {
    overlap.depth = std::max({overlap.depth, meshOfA.nearest(point).distance - a.chord - chord,
                              meshOfB.nearest(point).distance - b.chord - chord});
  };
  const std::size_t stride = 1 + mesh.triangles().size() / surfacePoints;
  for (std::size_t i = 0; i < mesh.triangles().size(); i += stride) deepenTo(mesh.triangles()[i].corner[0]);
}

Overlap overlapOf(const Solid& a, const Solid& b) {
  Overlap overlap;
  for (const double fuzzy : fuzzyValues) try {
      TopTools_ListOfShape objects, tools;
      objects.Append(a.shape);
      tools.Append(b.shape);
      TopTools_ListOfShape both = objects;
      both.Append(b.shape);
      BOPAlgo_PaveFiller filler;
      filler.SetArguments(both);
      filler.SetFuzzyValue(fuzzy);
      filler.SetNonDestructive(Standard_True);
      filler.Perform();
      if (filler.HasErrors()) continue;
      const auto run = [&](BRepAlgoAPI_BooleanOperation&& operation) {
        operation.SetArguments(objects);
        operation.SetTools(tools);
        operation.SetFuzzyValue(fuzzy);
        operation.Build();
        return operation.IsDone() && !operation.HasErrors() ? operation.Shape() : TopoDS_Shape();
      };
      const TopoDS_Shape common = run(BRepAlgoAPI_Common(filler)), fused = run(BRepAlgoAPI_Fuse(filler));
      if (common.IsNull() || fused.IsNull()) continue;
      const double volume = volumeOf(common);
      const double defect =
          std::abs(disagreementOf({a.shape, b.shape}, {fused, common})) / std::min(a.volume, b.volume);
      if (overlap.defect >= 0 && !(defect < overlap.defect)) continue;
      overlap = {defect <= agreement ? "counts" : "disagrees", defect, volume};
      if (TopExp_Explorer(common, TopAbs_FACE).More()) measure(common, a, b, overlap);
      if (defect <= agreement) break;
    } catch (const Standard_Failure&) {
    }
  return overlap;
}

void print(std::size_t i, std::size_t j, const Overlap& overlap, double seconds) {
  std::printf("pair %zu %zu %s %.9g %.17g %.9g %.9g %.9g %.2f\n", i, j, overlap.state, overlap.defect,
              overlap.volume, overlap.area, overlap.ball, overlap.depth, seconds);
  std::fflush(stdout);
}

/// Runs the Booleans in a process of its own, because they crash and may take hours.
void printPair(std::size_t i, std::size_t j, const Solid& a, const Solid& b, rlim_t limit) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit processorTime{limit, limit};
    setrlimit(RLIMIT_CPU, &processorTime);
    const std::clock_t begin = std::clock();
    const Overlap overlap = overlapOf(a, b);
    print(i, j, overlap, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    std::_Exit(0);
  }
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child) std::exit(1);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  Overlap ended;
  ended.state =
      static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 2) >= limit ? "late" : "crashed";
  print(i, j, ended, static_cast<double>(used.ru_utime.tv_sec));
}

Solid placed(const TopoDS_Shape& shape, double volume, double chord) {
  Solid solid{shape, volume, chord, {}, {}};
  const double far = std::numeric_limits<double>::infinity();
  solid.low = {far, far, far};
  solid.high = {-far, -far, -far};
  const Mesh mesh(shape);
  for (const Triangle& triangle : mesh.triangles())
    for (const gp_XYZ& corner : triangle.corner)
      for (int axis = 1; axis <= 3; ++axis) {
        solid.low.SetCoord(axis, std::min(solid.low.Coord(axis), corner.Coord(axis)));
        solid.high.SetCoord(axis, std::max(solid.high.Coord(axis), corner.Coord(axis)));
      }
  return solid;
}

int run(const char* file, const Settings& settings, rlim_t limit) {
  Handle(TDocStd_Document) document;
  XCAFApp_Application::GetApplication()->NewDocument("MDTV-XCAF", document);
  if (!open(file, document)) {
    std::fputs("opens nothing\n", stderr);
    return 1;
  }
  std::printf("version %s\n", OCC_VERSION_COMPLETE);
  struct Body {
    double volume, chord;
  };
  std::map<const TopoDS_TShape*, Body> bodies;
  std::vector<Solid> solids;
  const TopoDS_Compound world = worldOf(XCAFDoc_DocumentTool::ShapeTool(document->Main()));
  for (TopExp_Explorer at(world, TopAbs_SOLID); at.More(); at.Next()) {
    const TopoDS_Shape& solid = at.Current();
    auto body = bodies.find(solid.TShape().get());
    if (body == bodies.end()) {
      const TopoDS_Shape own = solid.Located(TopLoc_Location());
      const double chord = chordError(own, settings);
      body = bodies.emplace(solid.TShape().get(), Body{volumeOf(own), chord}).first;
      BRepTools::Clean(own);
      BRepMesh_IncrementalMesh(own, chord, Standard_False, settings.angular);
    }
    solids.push_back(placed(solid, body->second.volume, body->second.chord));
    const auto& [shape, volume, chord, low, high] = solids.back();
    std::printf("solid %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", volume, chord, low.X(), low.Y(),
                low.Z(), high.X(), high.Y(), high.Z());
  }
  for (std::size_t i = 0; i < solids.size(); ++i)
    for (std::size_t j = i + 1; j < solids.size(); ++j)
      if (boxesOverlap(solids[i], solids[j])) printPair(i, j, solids[i], solids[j], limit);
  std::printf("end\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_Printer));
  try {
    return run(argv[1], {std::atof(argv[2]), std::atof(argv[3]), std::atof(argv[4])},
               static_cast<rlim_t>(std::max(1, std::atoi(argv[5]))));
  } catch (const Standard_Failure& failure) {
    std::fprintf(stderr, "ends with %s\n", failure.DynamicType()->Name());
    return 1;
  }
}
