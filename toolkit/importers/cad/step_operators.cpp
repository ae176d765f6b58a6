#include "step_operators.h"

#include <Interface_InterfaceModel.hxx>
#include <STEPConstruct_Assembly.hxx>
#include <STEPConstruct_Tool.hxx>
#include <StepGeom_CartesianTransformationOperator3d.hxx>
#include <StepGeom_Direction.hxx>
#include <StepRepr_CharacterizedDefinition.hxx>
#include <StepRepr_NextAssemblyUsageOccurrence.hxx>
#include <StepRepr_ProductDefinitionShape.hxx>
#include <StepRepr_RepresentationRelationshipWithTransformation.hxx>
#include <StepRepr_ShapeRepresentationRelationship.hxx>
#include <StepRepr_Transformation.hxx>
#include <StepShape_ContextDependentShapeRepresentation.hxx>
#include <TCollection_HAsciiString.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_WorkSession.hxx>

#include <array>
#include <cmath>
#include <optional>
#include <set>

namespace fitup::importers {
namespace {

using Operator = Handle(StepGeom_CartesianTransformationOperator3d);
using Axes = std::array<Vec3, 3>;

std::optional<Vec3> directionOf(const Handle(StepGeom_Direction) & direction) {
  if (direction.IsNull() || direction->NbDirectionRatios() != 3) return std::nullopt;
  const Vec3 v{direction->DirectionRatiosValue(1), direction->DirectionRatiosValue(2),
               direction->DirectionRatiosValue(3)};
  const double length = norm(v);
  if (!(length > 0) || !std::isfinite(length)) return std::nullopt;
  return v * (1 / length);
}

/// Returns the component of `v` perpendicular to the unit vectors, as a unit vector; empty if it is nearly
/// zero.
std::optional<Vec3> across(Vec3 v, std::initializer_list<Vec3> units) {
  for (const Vec3& unit : units) v = v - unit * dot(v, unit);
  const double length = norm(v);
  if (!(length > 1e-9)) return std::nullopt;
  return v * (1 / length);
}

/// Computes base_axis of ISO 10303-42 in three dimensions; the second axis may point to either side.
std::optional<Axes> axesOf(const Operator& op) {
  const Vec3 third = (op->HasAxis3() ? directionOf(op->Axis3()) : std::nullopt).value_or(Vec3{0, 0, 1});
  const auto given = op->HasAxis1() ? directionOf(op->Axis1()) : std::nullopt;
  auto first = across(given.value_or(Vec3{1, 0, 0}), {third});
  if (!first && !given) first = across({0, 1, 0}, {third});
  if (!first) return std::nullopt;
  const Vec3 right = cross(third, *first);
  const auto second = op->HasAxis2() ? directionOf(op->Axis2()) : std::nullopt;
  return Axes{*first, second && dot(*second, right) < 0 ? -right : right, third};
}

/// A factor other than 1, or left-handed axes.
struct Improper {
  Axes axes;
  double scale = 1;
  bool mirrors = false;
};

std::optional<Improper> improperPart(const Operator& op) {
  const auto axes = axesOf(op);
  if (!axes) return std::nullopt;
  Improper result{*axes, op->HasScale() ? op->Scale() : 1, false};
  result.mirrors = dot(cross((*axes)[0], (*axes)[1]), (*axes)[2]) < 0;
  if (!result.mirrors && std::abs(result.scale - 1) <= 1e-9) return std::nullopt;
  return result;
}

Transform linear(const Axes& axes) {
  Transform result;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      result.m[row][column] = axes[column][static_cast<int>(row)];
  return result;
}

bool isNear(const Transform& a, const Transform& b) {
  double largest = 0;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      largest = std::max(largest, std::abs(a.m[row][column] - b.m[row][column]));
  return largest < 1e-6;
}

/// Returns the placement that the operator defines, where the library made `wrong` of it: the library keeps
/// the origin, and completes the first and the third axis, or the first and the second, to a rotation.
std::optional<Transform> corrected(const Transform& wrong, const Improper& op) {
  if (!(op.scale > 0) || !std::isfinite(op.scale)) return std::nullopt;
  const auto& [first, second, third] = op.axes;
  if (!isNear(wrong, linear({first, cross(third, first), third})) &&
      !isNear(wrong, linear({first, second, cross(first, second)})))
    return std::nullopt;
  Transform right = linear({first * op.scale, second * op.scale, third * op.scale});
  right.t = wrong.t;
  return right;
}

Operator operatorOf(const Handle(StepShape_ContextDependentShapeRepresentation) & placement) {
  const auto relation = Handle(StepRepr_RepresentationRelationshipWithTransformation)::DownCast(
      placement->RepresentationRelation());
  return relation.IsNull() ? Operator() : Operator::DownCast(relation->TransformationOperator().Value());
}

}  // namespace

Placements mirroredAndScaled(STEPCAFControl_Reader& reader, const Handle(TDocStd_Document) & document,
                             std::vector<ImportWarning>& warnings) {
  Placements placements;
  const Handle(XSControl_WorkSession) session = reader.Reader().WS();
  const Handle(Interface_InterfaceModel) data = session->Model();
  const Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
  const STEPConstruct_Tool tool(session);
  std::set<const Standard_Transient*> done;
  for (int i = 1; i <= data->NbEntities(); ++i) {
    const auto placement = Handle(StepShape_ContextDependentShapeRepresentation)::DownCast(data->Value(i));
    if (placement.IsNull() || placement->RepresentedProductRelation().IsNull()) continue;
    const Operator op = operatorOf(placement);
    const auto improper = op.IsNull() ? std::nullopt : improperPart(op);
    if (!improper) continue;
    const auto occurrence = Handle(StepRepr_NextAssemblyUsageOccurrence)::DownCast(
        placement->RepresentedProductRelation()->Definition().ProductDefinitionRelationship());
    if (occurrence.IsNull()) continue;
    const TDF_Label label =
        STEPCAFControl_Reader::FindInstance(occurrence, shapes, tool, reader.GetShapeLabelMap());
    if (label.IsNull()) continue;
    // If the relation leads from the assembly to the part, the library has inverted the operator.
    const bool isReversed = STEPConstruct_Assembly::CheckSRRReversesNAUO(session->Graph(), placement);
    const Transform placed = transformOf(XCAFDoc_ShapeTool::GetLocation(label));
    const auto right = corrected(isReversed ? placed.inverse() : placed, *improper);
    if (!right) continue;
    placements[entryOf(label)] = isReversed ? right->inverse() : *right;
    done.insert(op.get());
  }
  for (int i = 1; i <= data->NbEntities(); ++i) {
    const Operator op = Operator::DownCast(data->Value(i));
    if (op.IsNull() || done.contains(op.get())) continue;
    if (const auto improper = improperPart(op))
      warnings.push_back({std::string("entity ") + data->StringLabel(op)->ToCString(),
                          std::string(improper->mirrors ? "mirrors" : "scales") +
                              " what it places, which is not supported: the shape or its place is wrong",
                          true});
  }
  return placements;
}

}  // namespace fitup::importers
