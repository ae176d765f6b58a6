#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "slide_tasks.h"

namespace fitup::bench {

/// Which slides to measure.
struct SlidesRun {
  int hands = 20;
  std::uint64_t firstSeed = 1;        ///< of the first hand; the others have the next ones
  double budget = 0;                  ///< milliseconds of an update; 0: none
  std::optional<double> tolerance{};  ///< unset: that of the model
  std::vector<std::string> only{};    ///< instances whose paths contain one of these; empty: all
  bool quick = false;                 ///< a few poses of each way
};

/// A hand that did not draw its part to where it is to come, and what held the part in the end.
struct SlideFailure {
  std::string instance;
  std::uint64_t seed = 0;
  double share = 0;     ///< of the way of the part's centre that it has come
  double distance = 0;  ///< of the part from the hand
  std::vector<std::string> holding;
};

/// The slides of one part.
struct SlidesRow {
  std::string model, instance;
  std::string stopsAt;  ///< of the task
  int hands = 0;
  int arrived = 0;         ///< hands at whose goal the part is, exactly, or which the part to stop at stopped
  std::size_t waits = 0;   ///< updates after the hand had stopped
  std::size_t places = 0;  ///< at which margins were measured
  /// The least of what pairs still may overlap, at the poses and between them.
  double margin = std::numeric_limits<double>::infinity();
  std::string leastMargin;  ///< where that is
  /// Of a part that is stopped: the share of the way after which a steady hand that goes straight on is
  /// stopped (`firstContact`), and the least and the largest at which the slides ended.
  double straightShare = 1, leastShare = 0, largestShare = 0;
  int failed = 0;                    ///< hands
  std::vector<double> milliseconds;  ///< of processor time, of all updates

  [[nodiscard]] bool isRight() const { return failed == 0 && margin >= 0; }
};

/// All slides of a run.
struct SlidesTotals {
  std::size_t parts = 0;
  int hands = 0, arrived = 0;
  std::size_t waits = 0, places = 0;
  double margin = std::numeric_limits<double>::infinity();
  bool areRight = true;
  std::vector<double> milliseconds;

  void count(const SlidesRow& row);
};

/// What is called during a run. All are set.
struct SlidesShow {
  std::function<void(const SlidesRow&)> row;         ///< when a part is done
  std::function<void(const SlideFailure&)> failure;  ///< when a hand has failed, before the row
  std::function<void(const std::string&)> watch;     ///< what is under way
};

/// Draws the parts out by slides that follow unsteady seeded hands and may turn, and measures the margins of
/// every eighth update by depths: at each pose passed and at four places before it. Throws Error if a part
/// that is to be stopped is not stopped on a straight way.
void runSlides(const SlideModel& model, const SlidesRun& run, const SlidesShow& show);

/// Print to standard output.
void printSlidesHead(const SlidesRun& run);
void print(const SlidesRow& row);
void print(const SlideFailure& failure);
void print(const SlidesTotals& totals);

}  // namespace fitup::bench
