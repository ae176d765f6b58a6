#pragma once

namespace fitup::importers {

/// Makes every STEP file that is read afterwards, also one that another refers to, lose the items of types
/// unknown to the library from its representations of shapes before it is transferred. Otherwise the library
/// leaves null handles for them, and crashes when it looks for the names of faces there.
void leaveOutUnreadItems();

}  // namespace fitup::importers
