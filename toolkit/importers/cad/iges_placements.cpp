#include "iges_placements.h"

#include <IGESData_IGESModel.hxx>
#include <IGESSolid_ManifoldSolid.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TDF_LabelSequence.hxx>
#include <TopoDS_Shape.hxx>
#include <TopoDS_TShape.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_TransferReader.hxx>
#include <gp_GTrsf.hxx>

#include <cmath>
#include <set>
#include <unordered_map>

namespace fitup::importers {
namespace {

/// Returns the matrix of an entity, with lengths in mm.
Transform matrixOf(const IGESData_IGESEntity& entity, double millimetresPerUnit) {
  const gp_GTrsf matrix = entity.Location();
  Transform result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      result.m[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
          matrix.Value(row + 1, column + 1);
    result.t[row] = matrix.Value(row + 1, 4) * millimetresPerUnit;
  }
  return result;
}

}  // namespace

Placements placedSolids(const Handle(XSControl_WorkSession) & session,
                        const Handle(TDocStd_Document) & document, std::vector<ImportWarning>& warnings) {
  const auto data = Handle(IGESData_IGESModel)::DownCast(session->Model());
  const Handle(Transfer_TransientProcess) process = session->TransferReader()->TransientProcess();
  Placements placements;
  if (data.IsNull() || process.IsNull()) return placements;
  struct Matrix {
    Transform placement;
    std::string solid;
    bool isFollowed = false;
  };
  std::unordered_map<const TopoDS_TShape*, Matrix> matrices;
  for (int i = 1; i <= data->NbEntities(); ++i) {
    const Handle(IGESData_IGESEntity) entity = data->Entity(i);
    if (!entity->IsKind(STANDARD_TYPE(IGESSolid_ManifoldSolid)) || !entity->HasTransf()) continue;
    const TopoDS_Shape shape = TransferBRep::ShapeResult(process, entity);
    // A later version of the library may respect the matrix itself.
    if (shape.IsNull() || !shape.Location().IsIdentity()) continue;
    const Transform matrix = matrixOf(*entity, data->GlobalSection().UnitValue());
    const std::string solid = std::string("solid ") + data->StringLabel(entity)->ToCString();
    if (!matrix.isFinite() || !(std::abs(matrix.determinant()) > 1e-12))
      warnings.push_back({solid, "is placed by an invalid matrix; it may be in the wrong place", true});
    else
      matrices.emplace(shape.TShape().get(), Matrix{matrix, solid});
  }
  if (matrices.empty()) return placements;
  const auto place = [&](const TDF_Label& label) {
    TDF_Label part = label;
    (void)XCAFDoc_ShapeTool::GetReferredShape(label, part);
    const TopoDS_Shape shape = XCAFDoc_ShapeTool::GetShape(part);
    if (shape.IsNull()) return;
    const auto found = matrices.find(shape.TShape().get());
    if (found == matrices.end()) return;
    found->second.isFollowed = true;
    // The solid's own matrix applies before the location of the shape, which is part of the instance too.
    const Transform within = transformOf(shape.Location());
    placements[entryOf(label)] = transformOf(XCAFDoc_ShapeTool::GetLocation(label)) * within *
                                 found->second.placement * within.inverse();
  };
  const Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
  TDF_LabelSequence labels;
  shapes->GetFreeShapes(labels);
  for (const TDF_Label& label : labels) place(label);
  shapes->GetShapes(labels);
  for (const TDF_Label& label : labels) {
    TDF_LabelSequence components;
    XCAFDoc_ShapeTool::GetComponents(label, components);
    for (const TDF_Label& component : components) place(component);
  }
  std::set<std::string> missed;
  for (const auto& [shape, matrix] : matrices)
    if (!matrix.isFollowed) missed.insert(matrix.solid);
  for (const std::string& solid : missed)
    warnings.push_back(
        {solid, "is placed by a matrix that could not be applied; it is in the wrong place", true});
  return placements;
}

}  // namespace fitup::importers
