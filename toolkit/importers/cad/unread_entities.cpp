#include "unread_entities.h"

#include <Interface_Check.hxx>
#include <Interface_ReportEntity.hxx>
#include <StepShape_SolidModel.hxx>
#include <StepShape_TopologicalRepresentationItem.hxx>
#include <TCollection_HAsciiString.hxx>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "importer_main.h"

namespace fitup::importers {
namespace {

constexpr std::size_t listedFailures = 20;

/// Whether the entity is a shape or decides which shape is where.
bool shapesDependOn(const Handle(Standard_Transient) & entity) {
  constexpr std::array<std::string_view, 3> families{"StepGeom_", "IGESGeom_", "IGESSolid_"};
  // Families that hold other things too.
  constexpr std::array<std::string_view, 10> structure{
      "StepRepr_ItemDefinedTransformation",
      "StepRepr_FunctionallyDefinedTransformation",
      "StepRepr_RepresentationRelationshipWithTransformation",
      "StepRepr_ShapeRepresentationRelationshipWithTransformation",
      "StepRepr_ShapeRepresentationRelationship",
      "StepRepr_MappedItem",
      "StepRepr_RepresentationMap",
      "StepRepr_ProductDefinitionShape",
      "StepRepr_NextAssemblyUsageOccurrence",
      "StepShape_ContextDependentShapeRepresentation"};
  const std::string_view type = entity->DynamicType()->Name();
  return std::any_of(families.begin(), families.end(),
                     [&](std::string_view family) { return type.starts_with(family); }) ||
         std::find(structure.begin(), structure.end(), type) != structure.end() ||
         entity->IsKind(STANDARD_TYPE(StepShape_TopologicalRepresentationItem)) ||
         entity->IsKind(STANDARD_TYPE(StepShape_SolidModel));
}

/// Whether the problem is only about text. Many writers omit names that the schema requires, and shapes do
/// not depend on them. A field is given as "(name)" or "(property_definition.name)".
bool concernsText(std::string_view problem) {
  constexpr std::array<std::string_view, 4> fields{"name", "description", "id", "text"};
  return std::any_of(fields.begin(), fields.end(), [&](std::string_view field) {
    const std::size_t at = problem.find(std::string(field) + ")");
    return at != std::string_view::npos && at > 0 && (problem[at - 1] == '(' || problem[at - 1] == '.');
  });
}

}  // namespace

void warnOfUnreadEntities(const Handle(Interface_InterfaceModel) & data,
                          std::vector<ImportWarning>& warnings) {
  std::size_t listed = 0;
  for (int i = 1; i <= data->NbEntities(); ++i) {
    if (!data->IsErrorEntity(i)) continue;
    const Handle(Standard_Transient) entity = data->Value(i);
    const Handle(Interface_Check) check = data->ReportEntity(i)->Check();
    const std::string problem = validUtf8(check->NbFails() > 0 ? check->CFail(1) : "not readable");
    if (concernsText(problem) || !shapesDependOn(entity)) continue;
    if (++listed <= listedFailures)
      warnings.push_back({std::string("entity ") + data->StringLabel(entity)->ToCString(),
                          problem + "; geometry may be missing or wrong", true});
  }
  if (listed > listedFailures)
    warnings.push_back({"file",
                        std::to_string(listed - listedFailures) +
                            " more entities could not be read; geometry may be missing or wrong",
                        true});
}

}  // namespace fitup::importers
