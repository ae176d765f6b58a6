#include "tessellated_labels.h"

#include <BRepBndLib.hxx>
#include <Bnd_Box.hxx>
#include <StepBasic_ProductDefinition.hxx>
#include <StepData_StepModel.hxx>
#include <TDF_LabelSequence.hxx>
#include <TopExp_Explorer.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "document_labels.h"

namespace fitup::importers {
namespace {

constexpr std::size_t listedItems = 3;
/// As a share of a box's diagonal: far above the chord error and the rounding of points, far below the extent
/// of another body.
constexpr double boxSlack = 0.01;

bool hasFaces(const TopoDS_Shape& shape) {
  return !shape.IsNull() && TopExp_Explorer(shape, TopAbs_FACE).More();
}

/// Whether the product itself, not one of its parts, has exact faces.
bool hasExactFaces(const TDF_Label& product, const std::set<std::string>& occurrences) {
  if (!XCAFDoc_ShapeTool::IsAssembly(product)) return hasFaces(XCAFDoc_ShapeTool::GetShape(product));
  TDF_LabelSequence components;
  XCAFDoc_ShapeTool::GetComponents(product, components);
  return std::any_of(components.begin(), components.end(), [&](const TDF_Label& component) {
    return !occurrences.contains(entryOf(component)) && hasFaces(XCAFDoc_ShapeTool::GetShape(component));
  });
}

bool isWithinBoxOf(const TopoDS_Shape& exact, const std::vector<TessellatedBody>& bodies) {
  Bnd_Box box, other;
  BRepBndLib::Add(exact, box, Standard_False);
  for (const TessellatedBody& body : bodies)
    for (const TessellatedFace& face : body.faces)
      for (const Vec3& corner : face.corners) other.Add(gp_Pnt(corner.x, corner.y, corner.z));
  if (box.IsVoid() || other.IsVoid()) return true;
  box.Enlarge(boxSlack * std::sqrt(box.SquareExtent()));
  const gp_Pnt low = other.CornerMin(), high = other.CornerMax();
  return !box.IsOut(low) && !box.IsOut(high);
}

std::string itemsText(const TessellatedProduct& product) {
  std::string text = product.items.size() > 1 ? "entities " : "entity ";
  for (std::size_t i = 0; i < product.items.size() && i < listedItems; ++i)
    text += (i == 0 ? "#" : ", #") + std::to_string(product.items[i]);
  if (product.items.size() > listedItems)
    text += " and " + std::to_string(product.items.size() - listedItems) + " more";
  return text;
}

void warnOfExact(const TDF_Label& label, const TessellatedProduct& product,
                 std::vector<ImportWarning>& warnings) {
  warnings.insert(warnings.end(), product.warnings.begin(), product.warnings.end());
  if (isWithinBoxOf(XCAFDoc_ShapeTool::GetShape(label), product.bodies))
    warnings.push_back(
        {itemsText(product),
         "tessellated geometry is not read because the product also has an exact shape, which is checked",
         false});
  else
    warnings.push_back({itemsText(product),
                        "tessellated geometry is not read because the product also has an exact shape; it "
                        "extends beyond that shape, so something is missing",
                        true});
}

}  // namespace

TessellatedBodies labelled(StepTessellation tessellation, STEPCAFControl_Reader& reader,
                           const std::set<std::string>& occurrences, std::vector<ImportWarning>& warnings) {
  const Handle(XSControl_WorkSession) session = reader.Reader().WS();
  const auto data = Handle(StepData_StepModel)::DownCast(session->Model());
  const Handle(Transfer_TransientProcess) process = session->TransferReader()->TransientProcess();
  std::map<std::uint64_t, TDF_Label> labels;
  for (int i = 1; !data.IsNull() && i <= data->NbEntities() && !tessellation.products.empty(); ++i) {
    const auto definition = Handle(StepBasic_ProductDefinition)::DownCast(data->Value(i));
    if (definition.IsNull()) continue;
    TDF_Label label;
    const TopoDS_Shape shape = TransferBRep::ShapeResult(process, definition);
    if (!shape.IsNull() && reader.GetShapeLabelMap().Find(shape, label))
      labels[static_cast<std::uint64_t>(data->IdentLabel(definition))] = label;
  }
  TessellatedBodies result;
  for (TessellatedProduct& product : tessellation.products) {
    const auto label = labels.find(product.definition);
    if (label == labels.end()) {
      warnings.push_back({itemsText(product),
                          "tessellated geometry of a product that belongs to no assembly is missing", true});
    } else if (hasExactFaces(label->second, occurrences)) {
      warnOfExact(label->second, product, warnings);
    } else {
      warnings.insert(warnings.end(), product.warnings.begin(), product.warnings.end());
      if (!product.bodies.empty()) result[entryOf(label->second)] = std::move(product.bodies);
    }
  }
  warnings.insert(warnings.end(), tessellation.warnings.begin(), tessellation.warnings.end());
  return result;
}

}  // namespace fitup::importers
