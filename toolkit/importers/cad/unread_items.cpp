#include "unread_items.h"

#include <STEPCAFControl_Controller.hxx>
#include <StepData_StepModel.hxx>
#include <StepRepr_HArray1OfRepresentationItem.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <StepShape_ShapeRepresentation.hxx>
#include <TCollection_HAsciiString.hxx>

#include <vector>

namespace fitup::importers {
namespace {

/// Makes an item without a shape, for a list that would otherwise be empty, which the library does not
/// expect.
Handle(StepRepr_RepresentationItem) itemWithoutShape() {
  const Handle(StepRepr_RepresentationItem) item = new StepRepr_RepresentationItem;
  item->Init(new TCollection_HAsciiString(""));
  return item;
}

void leaveOutOf(const Handle(StepShape_ShapeRepresentation) & representation) {
  if (representation.IsNull()) return;
  const int count = representation->Items().IsNull() ? 0 : representation->NbItems();
  std::vector<Handle(StepRepr_RepresentationItem)> read;
  for (int k = 1; k <= count; ++k)
    if (const auto item = representation->ItemsValue(k); !item.IsNull()) read.push_back(item);
  if (count > 0 && read.size() == static_cast<std::size_t>(count)) return;
  if (read.empty()) read.push_back(itemWithoutShape());
  const Handle(StepRepr_HArray1OfRepresentationItem) items =
      new StepRepr_HArray1OfRepresentationItem(1, static_cast<int>(read.size()));
  for (std::size_t k = 0; k < read.size(); ++k) items->SetValue(static_cast<int>(k + 1), read[k]);
  representation->SetItems(items);
}

/// The library asks it for an actor after a file is read and before it is transferred. Nothing else reports
/// that moment for files that another file refers to.
class Controller : public STEPCAFControl_Controller {
  DEFINE_STANDARD_RTTI_INLINE(Controller, STEPCAFControl_Controller)
 public:
  Handle(Transfer_ActorOfTransientProcess)
      ActorRead(const Handle(Interface_InterfaceModel) & model) const override {
    if (const auto data = Handle(StepData_StepModel)::DownCast(model); !data.IsNull())
      for (int i = 1; i <= data->NbEntities(); ++i)
        leaveOutOf(Handle(StepShape_ShapeRepresentation)::DownCast(data->Value(i)));
    return STEPCAFControl_Controller::ActorRead(model);
  }
};

}  // namespace

void leaveOutUnreadItems() {
  STEPCAFControl_Controller::Init();  // otherwise a reader would replace this one by the library's own
  const Handle(Controller) controller = new Controller;
  controller->AutoRecord();
}

}  // namespace fitup::importers
