#include "occt_progress.h"

namespace fitup::importers {

void OcctProgress::Show(const Message_ProgressScope&, const Standard_Boolean) { moved_(GetPosition()); }

}  // namespace fitup::importers
