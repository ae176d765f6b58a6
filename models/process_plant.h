#pragma once

#include <optional>
#include <vector>

#include <fitup/motion/track.h>
#include <fitup/scene/assembly.h>
#include <models/solids/solid.h>

namespace fitup::models {

/// Which process plant to make. Lengths in millimetres.
struct ProcessPlantOptions {
  /// Unset: the plant of the benchmarks. Its spool intersects another part at every step of its track.
  ///
  /// Set: the variant whose spool comes out. All along its track, also between the steps, the spool keeps
  /// more than this distance from everything. Above 0 and at most `largestPlantClearance`; otherwise the
  /// functions that take these options throw InputError.
  ///
  /// Only the spool differs from the plant of the benchmarks: its two straight pipes are shorter, so that its
  /// raised faces end `flangeGap` before those of its neighbours. In world coordinates they are at x = 1400
  /// -+ (299.75 - `flangeGap`).
  std::optional<double> clearance{};
};
/// Largest clearance of the variant: its way out is laid out and tested up to here.
inline constexpr double largestPlantClearance = 10;

/// The eight parts of the process plant as faces: the source of its triangles and of its STEP file.
std::vector<PartDescription> describeProcessPlant(const ProcessPlantOptions& options = {});
/// Subassembly that a part belongs to.
std::string subassemblyOf(const std::string& part);

/// A small process plant, 4.3 m by 2 m by 2.9 m, in millimetres, z up: a steel frame, a drip tray (an open
/// sheet; all other parts are closed), a tank, a drum, a pump, two pipe runs and the spool piece with a valve
/// between them. 8 parts, 1,073 surfaces, 24,415 triangles: the sizes of the case study in Figueiredo and
/// Fernando, whose model was never published. Equal on every machine.
Assembly makeProcessPlant(const ProcessPlantOptions& options = {});

/// Path of the spool in the plant.
inline constexpr const char* spoolPath = "process-plant/piping/spool";

/// Gap between a raised face of the seated spool and that of its neighbour in the variant: the clearance and
/// a 32nd part of it, rounded up to the grid of coordinates. The excess lets a search of finite resolution
/// prove the clearance. Throws InputError for a clearance that the variant cannot have.
double flangeGap(double clearance);

/// The spool's way out of the plant, which must be made with the same options.
///
/// Of the plant of the benchmarks: 233 steps. The spool is pulled from between its flanges, turned, scraped
/// along frame, pipes and tank and carried out past the frame. It intersects another part at every step.
///
/// Of the variant: 218 steps, none longer than 35 mm or 3.3 degrees. The spool slides out between its
/// flanges, over the rim of the drip tray, between suction line and middle column, up along the bend, under
/// the manway of the tank, down along the brace of the end frame and out past the corner column. It passes
/// each of these by less than twice the clearance and 3 mm.
Track makeSpoolTrack(const Assembly& plant, const ProcessPlantOptions& options = {});

}  // namespace fitup::models
