#pragma once

#include <span>

#include <QString>

#include <viewer/gui/length_unit.h>
#include <viewer/gui/way_out.h>

namespace fitup::viewer {

// What a search for a way out says, in words.

/// Returns the name of a part, of the subassembly that consists of exactly these parts, or "rod and 2 more".
/// `instances` must not be empty.
QString partsText(const Session& session, std::span<const NodeId> instances);
/// Returns "no way is looked for", "34 ways tried, 2.1 s" or the answer: "Way out found: certified, 123 mm
/// long, keeps 0.4 mm".
QString stateText(const WayOut& wayOut, const LengthUnit& unit);
/// Returns what the answer is worth: how many ways were tried, chord errors, whether it is stale. May be
/// empty.
QString worthText(const WayOut& wayOut, const LengthUnit& unit);
/// Returns a clue in one line, and in whole for a tooltip.
QString clueText(const Session& session, const WayOutClue& clue, const LengthUnit& unit);
QString clueTip(const Session& session, const WayOutClue& clue, const LengthUnit& unit);

}  // namespace fitup::viewer
