#include "loose_faces.h"

#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_MakeSolid.hxx>
#include <BRepBuilderAPI_Sewing.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepLib.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <ShapeFix_Shell.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Shell.hxx>
#include <TopoDS_Solid.hxx>
#include <TopoDS_TShape.hxx>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include <fitup/base/disjoint_sets.h>

#include "face_description.h"

namespace fitup::importers {
namespace {

/// Sewing orients faces by their edges and ignores mirroring locations.
TopoDS_Shape withoutMirroring(const TopoDS_Shape& face) {
  const gp_Trsf& location = face.Location().Transformation();
  if (!isMirrored(location)) return face;
  return BRepBuilderAPI_Transform(face.Located(TopLoc_Location()), location, Standard_True).Shape();
}

/// Returns the faces oriented as in their shells; outwards in closed shells.
TopTools_IndexedMapOfShape sewnFaces(const TopoDS_Shape& shape) {
  TopTools_IndexedMapOfShape faces;
  for (TopExp_Explorer found(shape, TopAbs_SHELL); found.More(); found.Next()) {
    const Handle(ShapeFix_Shell) fix = new ShapeFix_Shell;
    fix->FixFaceOrientation(TopoDS::Shell(found.Current()));
    for (TopExp_Explorer shell(fix->Shape(), TopAbs_SHELL); shell.More(); shell.Next()) {
      const bool isClosed = BRep_Tool::IsClosed(shell.Current());
      TopoDS_Solid solid;
      if (isClosed) solid = BRepBuilderAPI_MakeSolid(TopoDS::Shell(shell.Current()));
      const bool isOriented = isClosed && BRepLib::OrientClosedSolid(solid);
      TopExp::MapShapes(isOriented ? TopoDS_Shape(solid) : shell.Current(), TopAbs_FACE, faces);
    }
  }
  for (TopExp_Explorer face(shape, TopAbs_FACE, TopAbs_SHELL); face.More(); face.Next())
    faces.Add(face.Current());
  return faces;
}

/// Groups faces that share edges; sets are in the order of their first faces.
std::vector<std::vector<int>> setsOf(const TopTools_IndexedMapOfShape& faces) {
  DisjointSets sets(static_cast<std::size_t>(faces.Extent()));
  std::unordered_map<const TopoDS_TShape*, std::uint32_t> faceOf;
  for (int i = 1; i <= faces.Extent(); ++i)
    for (TopExp_Explorer edge(faces(i), TopAbs_EDGE); edge.More(); edge.Next()) {
      const auto face = static_cast<std::uint32_t>(i - 1);
      sets.unite(faceOf.emplace(edge.Current().TShape().get(), face).first->second, face);
    }
  std::map<std::uint32_t, std::vector<int>> bySet;
  for (int i = 1; i <= faces.Extent(); ++i) bySet[sets.find(static_cast<std::uint32_t>(i - 1))].push_back(i);
  std::vector<std::vector<int>> result;
  for (auto& [first, members] : bySet) result.push_back(std::move(members));
  return result;
}

/// Whether each edge is used in both directions.
bool isClosed(const TopTools_IndexedMapOfShape& faces) {
  std::unordered_map<const TopoDS_TShape*, int> uses;
  for (int i = 1; i <= faces.Extent(); ++i)
    for (TopExp_Explorer edge(faces(i), TopAbs_EDGE); edge.More(); edge.Next())
      if (!BRep_Tool::Degenerated(TopoDS::Edge(edge.Current())))
        uses[edge.Current().TShape().get()] += edge.Current().Orientation() == TopAbs_FORWARD ? 1 : -1;
  return std::all_of(uses.begin(), uses.end(), [](const auto& use) { return use.second == 0; });
}

std::vector<ConnectedFaces> sewn(const StyledFaces& loose, double tolerance) {
  BRepBuilderAPI_Sewing sewing(tolerance);
  std::vector<TopoDS_Shape> added;
  for (int i = 1; i <= loose.faces.Extent(); ++i) {
    added.push_back(withoutMirroring(loose.faces(i)));
    sewing.Add(added.back());
  }
  sewing.Perform();
  const TopTools_IndexedMapOfShape all = sewnFaces(sewing.SewedShape());
  // In the order of the file. A face that sewing left out because it is too small stays as it was.
  StyledFaces ordered;
  for (int i = 1; i <= loose.faces.Extent(); ++i) {
    const TopoDS_Shape& before = added[static_cast<std::size_t>(i - 1)];
    TopoDS_Shape now = sewing.IsModified(before) ? sewing.Modified(before) : before;
    if (now.IsNull()) now = before;
    for (TopExp_Explorer piece(now, TopAbs_FACE); piece.More(); piece.Next()) {
      const int place = all.FindIndex(piece.Current());
      const int known = ordered.faces.Extent();
      ordered.faces.Add(place > 0 ? all(place) : piece.Current());
      if (ordered.faces.Extent() > known)
        ordered.styles.push_back(loose.styles[static_cast<std::size_t>(i - 1)]);
    }
  }
  return setsThatShareEdges(ordered);
}

}  // namespace

std::vector<ConnectedFaces> setsThatShareEdges(const StyledFaces& faces) {
  const BRep_Builder builder;
  std::vector<ConnectedFaces> sets;
  for (const std::vector<int>& members : setsOf(faces.faces)) {
    ConnectedFaces& set = sets.emplace_back();
    TopoDS_Compound compound;
    builder.MakeCompound(compound);
    for (const int i : members) {
      builder.Add(compound, faces.faces(i));
      set.faces.faces.Add(faces.faces(i));
      set.faces.styles.push_back(faces.styles[static_cast<std::size_t>(i - 1)]);
    }
    set.shape = compound;
    set.isClosed = isClosed(set.faces.faces);
  }
  return sets;
}

bool areScattered(const std::vector<ConnectedFaces>& sets) {
  constexpr std::size_t few = 20;
  const auto single = static_cast<std::size_t>(std::count_if(
      sets.begin(), sets.end(), [](const ConnectedFaces& set) { return set.faces.faces.Extent() == 1; }));
  return sets.size() > few && 2 * single > sets.size();
}

std::optional<std::vector<ConnectedFaces>> connectedSets(const StyledFaces& faces, double tolerance) {
  try {
    return sewn(faces, tolerance);
  } catch (const Standard_OutOfMemory&) {
    throw;
  } catch (const Standard_Failure&) {
    return std::nullopt;
  }
}

double sewingTolerance(const TopoDS_Shape& shape) {
  constexpr double least = 1e-4, most = 0.02, ofExtent = 1e-6;
  Bnd_Box box;
  BRepBndLib::Add(shape, box, Standard_False);
  if (box.IsVoid()) return least;
  return std::clamp(ofExtent * std::sqrt(box.SquareExtent()), least, most);
}

}  // namespace fitup::importers
