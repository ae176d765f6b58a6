#include "tessellate.h"

#include <BRepBndLib.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <IMeshTools_Parameters.hxx>
#include <Poly_Triangulation.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Face.hxx>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/mesh/chord_errors.h>

#include "canonical_form.h"
#include "chord_error.h"
#include "face_description.h"
#include "joined_faces.h"
#include "occt_progress.h"
#include "stubborn_face.h"

namespace fitup::importers {
namespace {

/// Counts from 0, as reports do: "face 12".
std::string faceText(int index, const FaceStyle& style) {
  return "face " + std::to_string(index) + (style.name.empty() ? "" : " '" + style.name + "'");
}

/// `isFine`: edges have very many points, for which the library's usual algorithm takes quadratic time.
IMeshTools_Parameters parametersFor(const Deflection& deflection, bool isFine) {
  IMeshTools_Parameters parameters;
  if (isFine) parameters.MeshAlgo = IMeshTools_MeshAlgoType_Delabella;
  parameters.Deflection = deflection.linear;
  parameters.Angle = deflection.angular;
  parameters.Relative = Standard_False;
  parameters.InParallel = Standard_True;
  return parameters;
}

std::size_t triangleCount(const TopoDS_Face& face) {
  TopLoc_Location location;
  const Handle(Poly_Triangulation)& mesh = BRep_Tool::Triangulation(face, location);
  return mesh.IsNull() ? 0 : static_cast<std::size_t>(mesh->NbTriangles());
}

/// About what the coordinates of a shape are rounded to in a mesh.
double roundingOf(const TopoDS_Shape& shape) {
  Bnd_Box box;
  BRepBndLib::Add(shape, box, Standard_False);
  return box.IsVoid() ? 0 : 0x1p-24 * std::sqrt(box.SquareExtent());
}

/// Of splines, chord errors are at least what the library promises. Where they are surfaces in closed form,
/// they are known. What the splines are off these (`off`) is of the size of the rounding, and counts as such.
TriangleMesh withErrorsOfForms(const TriangleMesh& mesh, double off) {
  TriangleMesh::Data data = mesh.data();
  data.validation.largestRounding += off;
  const MeshTopology topology(mesh);
  ChordErrors errors(mesh, topology);
  for (Surface& surface : data.surfaces) {
    if (!surface.chordError) continue;
    double largest = 0;
    for (std::uint32_t i = 0; i < surface.triangleCount; ++i)
      largest = std::max(largest, errors.of(TriangleId{surface.firstTriangle + i}));
    surface.chordError = largest;
  }
  return TriangleMesh(std::move(data));
}

/// Joins all faces with the triangles that they have, and other forms of the faces that lack some.
JoinedFaces joinedFaces(const PartShape& part, const IMeshTools_Parameters& parameters) {
  const auto count = static_cast<std::size_t>(part.faces.Extent());
  JoinedFaces joined(part.shape, count, parameters.Deflection);
  const auto faceAt = [&](std::size_t i) -> const TopoDS_Face& {
    return TopoDS::Face(part.faces(static_cast<int>(i) + 1));
  };
  for (std::size_t i = 0; i < count; ++i) joined.add(i, faceAt(i));
  const auto isWhole = [&](std::size_t i) {
    const JoinedFaces::FaceTriangles made = joined.triangles(i);
    return made.reachesEdges && !made.triangles.empty();
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (isWhole(i)) continue;
    try {
      joined.divideUnknownEdges(i, parameters.Deflection, parameters.Angle);
    } catch (const Standard_OutOfMemory&) {
      throw;
    } catch (const Standard_Failure&) {  // the face may have an edge without a curve, left undivided
    }
    if (isWhole(i)) continue;
    const bool isHelped = tessellateOtherwise(faceAt(i), parameters, [&](const TopoDS_Shape& other) {
      joined.add(i, faceAt(i), other);
      return isWhole(i);
    });
    if (!isHelped) joined.add(i, faceAt(i));
  }
  return joined;
}

/// Adds the points of faces to a mesh, each once.
class PointAdder {
 public:
  PointAdder(const JoinedFaces& faces, TriangleMeshBuilder& builder)
      : faces_(faces), builder_(builder), placeOf_(faces.points().size()) {}

  std::uint32_t operator()(std::uint32_t point) {
    std::optional<std::uint32_t>& place = placeOf_[point];
    const gp_Pnt& at = faces_.points()[point];
    if (!place) place = builder_.addPoint({at.X(), at.Y(), at.Z()});
    return *place;
  }

 private:
  const JoinedFaces& faces_;
  TriangleMeshBuilder& builder_;
  std::vector<std::optional<std::uint32_t>> placeOf_;
};

}  // namespace

TopoDS_Shape compoundOf(const TopTools_IndexedMapOfShape& faces) {
  TopoDS_Compound compound;
  const BRep_Builder builder;
  builder.MakeCompound(compound);
  for (int i = 1; i <= faces.Extent(); ++i) builder.Add(compound, faces(i));
  return compound;
}

void triangulate(const TopTools_IndexedMapOfShape& faces, const Deflection& deflection,
                 const Message_ProgressRange& progress, const FineFaces& fine) {
  const TopoDS_Shape compound = compoundOf(faces);
  BRepTools::Clean(compound);
  // The other faces take over the points of edges that are divided finely enough, and those faces are kept.
  if (!fine.faces.IsEmpty())
    BRepMesh_IncrementalMesh(compoundOf(fine.faces), parametersFor({fine.linear, deflection.angular}, true));
  BRepMesh_IncrementalMesh(compound, parametersFor(deflection, !fine.faces.IsEmpty()), progress);
}

TriangleMesh tessellate(const PartShape& part, const Deflection& deflection, bool hasTriangulations,
                        std::vector<ImportWarning>& warnings, const std::function<void(double)>& moved,
                        const FineFaces& fine) {
  try {
    const Handle(OcctProgress) indicator = new OcctProgress(moved);
    if (!hasTriangulations && !part.faces.IsEmpty())
      triangulate(part.faces, deflection, indicator->Start(), fine);
  } catch (const Standard_OutOfMemory&) {
    throw;
  } catch (const Standard_Failure& failure) {  // faces that have their triangles keep them
    warnings.push_back({part.name,
                        std::string("tessellating ended with Open CASCADE's ") +
                            failure.DynamicType()->Name() + "; parts of it may be missing",
                        true});
  }

  JoinedFaces joined = joinedFaces(part, parametersFor(deflection, !fine.faces.IsEmpty()));
  TriangleMeshBuilder builder(part.name);
  PointAdder add(joined, builder);
  Deflection reached = deflection;
  const double rounding = roundingOf(part.shape);
  std::optional<double> offForms;  ///< by how much splines differ from their closed forms
  std::vector<bool> reachesEdges(static_cast<std::size_t>(part.faces.Extent()));
  for (int i = 0; i < part.faces.Extent(); ++i) {
    const TopoDS_Face& face = TopoDS::Face(part.faces(i + 1));
    const FaceStyle& style = part.styles[static_cast<std::size_t>(i)];
    try {
      SurfaceDescription description = describe(face);
      if (!AnalyticSurface::of(description))
        if (const auto form = canonicalForm(face, rounding)) {
          description = form->description;
          offForms = std::max(offForms.value_or(0), form->distance);
        }
      builder.beginSurface(style.name, style.colour, description);
      const JoinedFaces::FaceTriangles made = joined.triangles(static_cast<std::size_t>(i));
      for (const auto& [a, b, c] : made.triangles) builder.addTriangle(add(a), add(b), add(c));
      reachesEdges[static_cast<std::size_t>(i)] = made.reachesEdges && !made.triangles.empty();
      const std::string element = part.name + ": " + faceText(i, style);
      if (made.triangles.empty())
        warnings.push_back({element, "could not be tessellated; it is missing", true});
      else if (!made.reachesEdges)
        warnings.push_back(
            {element, "could not be tessellated up to its edges; parts of it are missing", true});
      const double linear = fine.faces.Contains(face) ? fine.linear : deflection.linear;
      if (std::optional<double> error = chordErrorOf(face, linear)) {
        // Triangles that were added to reach the edges are within the deflection of them.
        if (made.triangles.size() != triangleCount(face)) error = std::max(*error, linear);
        builder.setChordError(*error + joined.largestShift());
        reached.linear = std::max(reached.linear, *error);
      }
    } catch (const Error& error) {
      throw InputError("part '" + part.name + "'", faceText(i, style), error.what());
    }
  }
  for (const JoinedFaces::FaceEdge& edge : joined.edges(reachesEdges)) {
    std::vector<std::uint32_t> points;
    for (const std::uint32_t point : edge.points) points.push_back(add(point));
    const auto surface = [](std::size_t face) { return SurfaceId(static_cast<std::uint32_t>(face)); };
    builder.addFeatureEdge(points, surface(edge.face),
                           edge.other ? std::optional(surface(*edge.other)) : std::nullopt);
  }
  // A smaller shift adds far less to the chord error than its own uncertainty.
  if (joined.largestShift() > deflection.linear / 100) reached.linear += joined.largestShift();
  builder.setDeflection(reached);
  BRepTools::Clean(part.shape);  // the mesh has the triangles by this point
  return offForms ? withErrorsOfForms(builder.build(), *offForms) : builder.build();
}

}  // namespace fitup::importers
