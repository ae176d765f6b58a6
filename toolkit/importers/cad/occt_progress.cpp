#include "occt_progress.h"

namespace fitup::importers {

void OcctProgress::Show(const Message_ProgressScope&, const Standard_Boolean) {
  lines_.report(phase_, GetPosition());
}

}  // namespace fitup::importers
