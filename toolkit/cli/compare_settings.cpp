#include "compare_settings.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "console.h"
#include "wording.h"

namespace fitup::cli {
namespace {

/// Figueiredo, tables 1 and 2: process plant, Core 2 Duo T7300 at 2 GHz, with and without the overlap box.
/// The paper gives counts only for first and for all triangles.
struct PaperRow {
  std::array<double, 2> milliseconds, boxTests, boxUpdates;
};

struct Row {
  const char* label;
  QueryMode mode;
  bool firstOfStep;  ///< ends a step at its first intersecting pair of parts
  PaperRow paper;
};

// The paper says "first intersecting surface per step" and leaves open whether that is one for every pair of
// parts. Both are measured; the paper's values are shown with the first reading.
constexpr std::array<Row, 4> rows{{
    {"first surface, per step", QueryMode::firstSurfacePair, true, {{0.09, 0.28}, {1263, 2915}, {102, 713}}},
    {"first surface, per pair of parts", QueryMode::firstSurfacePair, false, {}},
    {"all surfaces", QueryMode::allSurfacePairs, false, {{0.94, 1.75}, {}, {}}},
    {"all triangles", QueryMode::allTrianglePairs, false, {{1.26, 2.06}, {21836, 30663}, {537, 3279}}},
}};
constexpr std::array<OverlapBoxSetting, 3> settings{OverlapBoxSetting::on, OverlapBoxSetting::off,
                                                    OverlapBoxSetting::classical};

struct Measured {
  std::vector<double> millisecondsPerStep;
  QueryStats stats;

  [[nodiscard]] double median() const {
    std::vector<double> sorted = millisecondsPerStep;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

std::string paperText(const std::array<double, 2>& figures, const char* format) {
  if (figures[0] == 0) return "";
  return fmt::format(fmt::runtime(std::string("   paper ") + format + " / " + format), figures[0],
                     figures[1]);
}

}  // namespace

bool compareSettings(const Scene& scene, const Poses& poses, const Track& track, const ReplayOptions& options,
                     int rounds, bool withPaper, const Progress& progress) {
  std::array<std::array<Measured, settings.size()>, rows.size()> measured;
  const auto total = static_cast<double>(rounds) * rows.size() * settings.size();
  double done = 0;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t s = 0; s < settings.size(); ++s) {
        ReplayOptions run = options;
        run.interference.threads = 1;
        run.interference.request.limits.maxPairs.reset();  // the values are those of complete results
        run.interference.request.limits.timeBudget.reset();
        run.interference.request.mode = rows[r].mode;
        run.interference.request.hierarchy = HierarchyKind::scd;  // the settings belong to this kind
        run.interference.stopAtFirstPair = rows[r].firstOfStep;
        run.interference.request.overlapBox = settings[s];
        const ReplayReport report = replay(scene, poses, track, run, Progress(progress.stopToken()));
        if (report.status != ReportStatus::complete) return false;
        Measured& m = measured[r][s];
        double milliseconds = 0;
        m.stats = {};
        for (const ReplayStep& step : report.steps) {
          milliseconds += step.interference.milliseconds;
          m.stats += step.interference.stats;
        }
        m.millisecondsPerStep.push_back(milliseconds /
                                        static_cast<double>(std::max<std::size_t>(1, report.steps.size())));
        progress.report("comparing settings", ++done / total);
      }

  const auto steps = static_cast<double>(std::max<std::size_t>(1, track.steps.size()));
  say("S-CD, one thread, {} steps, per step; times are medians of {}\n", track.steps.size(),
      countText(static_cast<std::size_t>(rounds), "round"));
  if (withPaper)
    say("paper: Figueiredo, tables 1 and 2, its process plant on a Core 2 Duo at 2 GHz, overlap box / no "
        "filter\n");
  say("{:<34}{:>13}{:>13}{:>13}{:>11}\n", "", "overlap box", "no filter", "classical", "gain");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& [on, off, classical] = measured[r];
    const auto line = [&](const char* what, const char* format, auto value,
                          const std::array<double, 2>& paper, const char* paperFormat) {
      const auto cell = [&](const Measured& m) { return fmt::format(fmt::runtime(format), value(m)); };
      say("{:<34}{:>13}{:>13}{:>13}{:>10.2f}x{}\n", what, cell(on), cell(off), cell(classical),
          value(off) / std::max(value(on), 1e-12), withPaper ? paperText(paper, paperFormat) : "");
    };
    const auto perStep = [&](std::uint64_t QueryStats::*count) {
      return [count, steps](const Measured& m) { return static_cast<double>(m.stats.*count) / steps; };
    };
    say("{}\n", rows[r].label);
    line(
        "  ms", "{:.4f}", [](const Measured& m) { return m.median(); }, rows[r].paper.milliseconds, "{:.2f}");
    line("  box tests", "{:.0f}", perStep(&QueryStats::boxTests), rows[r].paper.boxTests, "{:.0f}");
    line("  box updates", "{:.0f}", perStep(&QueryStats::boxUpdates), rows[r].paper.boxUpdates, "{:.0f}");
    line("  triangle tests", "{:.0f}", perStep(&QueryStats::triangleTests), {}, "");
  }
  say("gain: no filter against overlap box\n");
  return true;
}

}  // namespace fitup::cli
