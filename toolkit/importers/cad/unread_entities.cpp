#include "unread_entities.h"

#include <Interface_Check.hxx>
#include <Interface_ReportEntity.hxx>
#include <StepShape_SolidModel.hxx>
#include <StepShape_TopologicalRepresentationItem.hxx>
#include <TCollection_HAsciiString.hxx>

#include <string>
#include <string_view>

#include "importer_main.h"

namespace fitup::importers {
namespace {

constexpr std::size_t listedFailures = 20;

}  // namespace

void warnOfUnreadEntities(const Handle(Interface_InterfaceModel) & data,
                          std::vector<ImportWarning>& warnings) {
  std::size_t geometric = 0, other = 0;
  std::string firstOther;
  for (int i = 1; i <= data->NbEntities(); ++i) {
    if (!data->IsErrorEntity(i)) continue;
    const Handle(Standard_Transient) entity = data->Value(i);
    const Handle(Interface_Check) check = data->ReportEntity(i)->Check();
    const std::string problem = validUtf8(check->NbFails() > 0 ? check->CFail(1) : "not readable");
    const std::string element = std::string("entity ") + data->StringLabel(entity)->ToCString();
    // Many writers leave names out where the schema wants them; shapes do not depend on those.
    const std::string_view type = entity->DynamicType()->Name();
    const bool isGeometry =
        (type.starts_with("StepGeom_") || type.starts_with("IGESGeom_") || type.starts_with("IGESSolid_") ||
         entity->IsKind(STANDARD_TYPE(StepShape_TopologicalRepresentationItem)) ||
         entity->IsKind(STANDARD_TYPE(StepShape_SolidModel))) &&
        problem.find("(name)") == std::string::npos;
    if (!isGeometry) {
      if (other++ == 0) firstOther = element + ": " + problem;
    } else if (++geometric <= listedFailures) {
      warnings.push_back({element, problem + "; geometry may be missing or wrong", true});
    }
  }
  if (geometric > listedFailures)
    warnings.push_back(
        {"file", std::to_string(geometric - listedFailures) + " more entities could not be read", true});
  if (other > 0)
    warnings.push_back(
        {"file",
         std::to_string(other) + " entities that carry no shape could not be read, the first: " + firstOther,
         false});
}

}  // namespace fitup::importers
