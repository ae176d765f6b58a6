#include "lost_faces.h"

#include <IGESGeom_BoundedSurface.hxx>
#include <IGESGeom_TrimmedSurface.hxx>
#include <IGESSolid_Face.hxx>
#include <Interface_InterfaceModel.hxx>
#include <StepShape_FaceSurface.hxx>
#include <TCollection_HAsciiString.hxx>
#include <Transfer_Binder.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>

namespace fitup::importers {
namespace {

constexpr std::size_t listedFaces = 20;

bool isFace(const Handle(Standard_Transient) & entity) {
  return entity->IsKind(STANDARD_TYPE(StepShape_FaceSurface)) ||
         entity->IsKind(STANDARD_TYPE(IGESGeom_TrimmedSurface)) ||
         entity->IsKind(STANDARD_TYPE(IGESGeom_BoundedSurface)) ||
         entity->IsKind(STANDARD_TYPE(IGESSolid_Face));
}

}  // namespace

std::vector<std::string> lostFaces(const Handle(XSControl_WorkSession) & session) {
  std::vector<std::string> lost;
  const Handle(Interface_InterfaceModel) data = session->Model();
  const Handle(Transfer_TransientProcess) process = session->TransferReader()->TransientProcess();
  if (data.IsNull() || process.IsNull()) return lost;
  for (int i = 1; i <= data->NbEntities(); ++i) {
    const Handle(Standard_Transient) entity = data->Value(i);
    if (!isFace(entity)) continue;
    const Handle(Transfer_Binder) binder = process->Find(entity);
    if (binder.IsNull() || !binder->HasResult()) lost.emplace_back(data->StringLabel(entity)->ToCString());
  }
  return lost;
}

void warnOfLostFaces(const std::vector<std::string>& labels, const std::string& fileName,
                     std::vector<ImportWarning>& warnings) {
  const std::string prefix = fileName.empty() ? std::string() : fileName + ": ";
  for (std::size_t i = 0; i < labels.size() && i < listedFaces; ++i)
    warnings.push_back({prefix + "face " + labels[i], "did not arrive", true});
  if (labels.size() > listedFaces)
    warnings.push_back(
        {prefix + "file", std::to_string(labels.size() - listedFaces) + " more faces did not arrive", true});
}

}  // namespace fitup::importers
