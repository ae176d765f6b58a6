#pragma once

#include <models/solids/piping.h>
#include <models/solids/solid.h>

// The eight parts of the process plant. All lengths in millimetres. World frame: x along the plant, y from
// the front to the back, z up from the floor.

namespace fitup::models::plant {

/// Where the spool piece sits: the middle of its valve.
inline constexpr Vec3 spoolCentre{1400, 500, 600};
inline constexpr double spoolHalfLength = 300;
/// Tessellated mates overlap a little: both neighbours' raised faces reach this far into the spool's.
inline constexpr double matingOverlap = 0.25;
/// Gap that a gasket fills between bolted flanges.
inline constexpr double gasket = 1.5;

PipeSize processPipe(int steps);
PipeSize matingPipe(int steps);  ///< with the smaller raised face of the spool's neighbours

PartDescription frame();
PartDescription dripTray();
PartDescription tank();
PartDescription drum();
PartDescription pump();
PartDescription suctionLine();
PartDescription dischargeLine();
/// `halfLength`: from its middle to either raised face.
PartDescription spool(double halfLength = spoolHalfLength);

/// Bolts through a flange pair whose lower raised face lies in frame's plane z = 0 and the other one `gap`
/// above.
void boltFlanges(PartDescription& part, const Frame& frame, const PipeSize& size, double gap, int steps);

}  // namespace fitup::models::plant
