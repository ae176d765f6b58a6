#include "lost_shapes.h"

#include <IGESData_IGESEntity.hxx>
#include <IGESGeom_BoundedSurface.hxx>
#include <IGESGeom_TrimmedSurface.hxx>
#include <IGESSolid_Face.hxx>
#include <Interface_InterfaceModel.hxx>
#include <StepShape_FaceSurface.hxx>
#include <StepShape_SolidModel.hxx>
#include <TCollection_HAsciiString.hxx>
#include <Transfer_Binder.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>

#include <string_view>

namespace fitup::importers {
namespace {

constexpr std::size_t listedShapes = 20;

/// Whether the entity is a solid by the standard's entity types: primitives, swept solids, Boolean trees,
/// assemblies, B-reps. The library makes no shape of most of them.
bool isIgesSolid(const Handle(Standard_Transient) & entity) {
  const Handle(IGESData_IGESEntity) iges = Handle(IGESData_IGESEntity)::DownCast(entity);
  if (iges.IsNull()) return false;
  const int type = iges->TypeNumber();
  return (type >= 150 && type <= 168) || type == 180 || type == 184 || type == 186;
}

/// Returns "face" or "solid"; empty for any other entity.
std::string_view kindOf(const Handle(Standard_Transient) & entity) {
  if (entity->IsKind(STANDARD_TYPE(StepShape_FaceSurface)) ||
      entity->IsKind(STANDARD_TYPE(IGESGeom_TrimmedSurface)) ||
      entity->IsKind(STANDARD_TYPE(IGESGeom_BoundedSurface)) || entity->IsKind(STANDARD_TYPE(IGESSolid_Face)))
    return "face";
  if (entity->IsKind(STANDARD_TYPE(StepShape_SolidModel)) || isIgesSolid(entity)) return "solid";
  return {};
}

}  // namespace

void warnOfLostShapes(const Handle(XSControl_WorkSession) & session, const std::string& fileName,
                      std::vector<ImportWarning>& warnings) {
  const Handle(Interface_InterfaceModel) data = session->Model();
  const Handle(Transfer_TransientProcess) process = session->TransferReader()->TransientProcess();
  if (data.IsNull() || process.IsNull()) return;
  const std::string prefix = fileName.empty() ? std::string() : fileName + ": ";
  std::size_t count = 0;
  for (int i = 1; i <= data->NbEntities(); ++i) {
    const Handle(Standard_Transient) entity = data->Value(i);
    const std::string_view kind = kindOf(entity);
    if (kind.empty()) continue;
    const Handle(Transfer_Binder) binder = process->Find(entity);
    if (!binder.IsNull() && binder->HasResult()) continue;
    if (++count <= listedShapes)
      warnings.push_back({prefix + std::string(kind) + " " + data->StringLabel(entity)->ToCString(),
                          "was not transferred; it is missing", true});
  }
  if (count > listedShapes)
    warnings.push_back({prefix + "file",
                        std::to_string(count - listedShapes) +
                            " more solids and faces were not transferred; they are missing",
                        true});
}

void warnOfLoss(const char* what, std::size_t declared, std::size_t transferred,
                std::vector<ImportWarning>& warnings) {
  if (transferred < declared)
    warnings.push_back({"file",
                        "holds " + std::to_string(declared) + " " + what + ", but only " +
                            std::to_string(transferred) +
                            " were transferred; contacts with the others are not found",
                        true});
}

}  // namespace fitup::importers
