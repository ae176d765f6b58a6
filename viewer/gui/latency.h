#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <viewer/gui/main_window.h>

namespace fitup::viewer {

/// Wall-clock times in milliseconds.
struct Latencies {
  std::vector<double> whole;      ///< from the mouse event to its effect in view and table
  std::vector<double> answer;     ///< the part on the check's thread, including the distance
  std::vector<double> detection;  ///< the part of it that finds the intersections
};

/// Returns the value below which a fraction of `times` lies; 0 for no times.
double quantile(std::vector<double> times, double fraction);

/// Grabs the selected parts in the middle of the gizmo's arrow along x and moves the mouse `count` times, in
/// small seeded steps around that place; then cancels the drag. Events reach the view as those of the window
/// system do. Nothing is drawn meanwhile, so the times exclude drawing. Throws InputError if nothing is
/// selected. Processes events.
Latencies measureDrag(MainWindow& window, std::size_t count, std::uint32_t seed);

/// Moves the mouse over the view `count` times, to seeded places, and measures from the event to the
/// preselected surface.
Latencies measureHover(MainWindow& window, std::size_t count, std::uint32_t seed);

/// Turns the view `count` times by a degree with the middle mouse button, and measures from the event to the
/// drawn picture. Leaves the view as it was.
std::vector<double> measureTurn(MainWindow& window, std::size_t count);

}  // namespace fitup::viewer
