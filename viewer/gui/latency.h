#pragma once

#include <cstdint>
#include <vector>

#include <viewer/gui/main_window.h>

namespace fitup::viewer {

/// Times in milliseconds, wall clock.
struct Latencies {
  std::vector<double> whole;      ///< from the event of the mouse to what it changes in view and table
  std::vector<double> answer;     ///< of these, on the thread of the checks, the distance included
  std::vector<double> detection;  ///< of these, the check that found what intersects
};

/// The value below which a fraction of `times` lies; 0 for none.
double quantile(std::vector<double> times, double fraction);

/// Grabs the selected parts in the middle of the gizmo's arrow along x and moves the mouse `count` times, in
/// small seeded steps about that place; then the drag is taken back. Events go to the view as those of the
/// window system do. Nothing is drawn meanwhile, so that drawing does not count. Throws InputError if nothing
/// is selected. Processes events.
Latencies measureDrag(MainWindow& window, std::size_t count, std::uint32_t seed);

/// Moves the mouse over the view `count` times, to seeded places: from event to preselected surface.
Latencies measureHover(MainWindow& window, std::size_t count, std::uint32_t seed);

}  // namespace fitup::viewer
