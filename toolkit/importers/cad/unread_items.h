#pragma once

namespace fitup::importers {

/// From now on every STEP file that is read, also one that another refers to, loses the items of types that
/// the library does not know from its representations of shapes before it is transferred. The library leaves
/// null handles for them, and crashes when it looks for the names of faces there.
void leaveOutUnreadItems();

}  // namespace fitup::importers
