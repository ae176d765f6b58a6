#pragma once

#include <set>

#include <QString>

#include <viewer/gui/length_unit.h>
#include <viewer/gui/live_check.h>

namespace fitup::viewer {

// What is next to some parts: those that are selected or dragged, of which an answer of the live check has
// the nearest other part.

/// Returns "clashes with A and 2 more" or "intersects A" if any of them does, "touches A" if the nearest part
/// is in contact and its distance may be 0, "nearest: A, less than 0.41 mm" if that is all that is
/// known of the distance, otherwise "nearest: A, 0.3 mm ± 0.21". Empty if it is not known.
QString nearnessText(const Session& session, const LiveAnswer& answer, const std::set<NodeId>& parts,
                     const LengthUnit& unit);
/// Returns "stopped by A", which says more of a part that was stopped.
QString stopText(const Session& session, const DragStop& stop);
/// "slides on rod, plate" for a sliding part that is held.
QString holdText(const Session& session, std::span<const SlideHold> holding);
/// Returns the same as `nearnessText` for a label beside the cursor, in few words and digits: "touches A",
/// "free, 0.3 mm from A".
QString nearnessLabel(const Session& session, const LiveAnswer& answer, const std::set<NodeId>& parts,
                      const LengthUnit& unit);

}  // namespace fitup::viewer
