#pragma once

#include <vector>

#include <fitup/motion/track.h>
#include <fitup/scene/assembly.h>
#include <models/solids/solid.h>

namespace fitup::models {

/// The eight parts of the process plant as faces: the source of its triangles and of its STEP file.
std::vector<PartDescription> describeProcessPlant();
/// Subassembly that a part belongs to.
std::string subassemblyOf(const std::string& part);

/// A small process plant, 4.3 m by 2 m by 2.9 m, in millimetres, z up: a steel frame, a drip tray (an open
/// sheet; all other parts are closed), a tank, a drum, a pump, two pipe runs and the spool piece with a valve
/// between them. 8 parts, 1,073 surfaces, 24,415 triangles: the sizes of the case study in Figueiredo and
/// Fernando, whose model was never published. Equal on every machine.
Assembly makeProcessPlant();

/// Path of the spool in the plant.
inline constexpr const char* spoolPath = "process-plant/piping/spool";

/// The spool's way out of the plant in 233 steps: it is pulled from between its flanges, turned, scraped
/// along frame, pipes and tank and carried out past the frame. It intersects another part at every step.
Track makeSpoolTrack(const Assembly& plant);

}  // namespace fitup::models
