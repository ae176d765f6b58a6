#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/io/atomic_file.h>

#include "gnuplot.h"
#include "results.h"

namespace fitup::bench {
namespace {

/// Returns the colour of a bar, by the script's numbers.
int colourOf(const ContestantInfo& c) {
  if (c.fitup) return 0;
  switch (c.movement) {
    case Movement::poses:
      return 1;
    case Movement::rewrites:
      return 2;
    case Movement::rebuilds:
      return 3;
    case Movement::notMoved:
      return 4;
  }
  return 1;
}

/// Returns a line per contestant; for each mode the median and the ends of its interval in ms and a remark,
/// or `NaN`.
std::string dataOf(const std::vector<const QueryTable*>& tables, const Results& results) {
  std::string out = "# contestant, colour, and for each mode: ms a step, low, high, remark\n";
  for (const ContestantInfo& c : results.contestants) {
    std::string line = fmt::format("\"{}\" {}", c.name, colourOf(c));
    bool isThere = false;
    for (const QueryTable* table : tables) {
      const auto row = std::find_if(table->rows.begin(), table->rows.end(), [&](const QueryRow& r) {
        return r.contestant == c.name && r.leftOut.empty();
      });
      if (row == table->rows.end()) {
        line += " NaN NaN NaN \"\"";
        continue;
      }
      isThere = true;
      const MedianInterval& m = row->milliseconds;
      const char* remark = row->exact() ? "" : row->nearlyExact() ? "≈" : "wrong";
      line += fmt::format(" {:.6g} {:.6g} {:.6g} \"{}\"", m.median, m.low, m.high, remark);
    }
    if (isThere) out += line + "\n";
  }
  return out;
}

}  // namespace

std::string plot(const Results& results, const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::vector<std::string> scenes;
  std::map<std::string, std::vector<const QueryTable*>> byScene;
  for (const QueryTable& table : results.queries) {
    if (byScene[table.scene].empty()) scenes.push_back(table.scene);
    byScene[table.scene].push_back(&table);
  }
  const auto base = [&](const std::string& scene) {
    return (std::filesystem::path(folder) / scene).string();
  };
  for (const std::string& scene : scenes)
    writeFileAtomically(base(scene) + ".dat",
                        [&](std::ostream& out) { out << dataOf(byScene[scene], results); });
  for (const std::string& scene : scenes) {
    std::vector<std::string> arguments{"-c", FITUP_BENCH_PLOT_SCRIPT, base(scene) + ".dat",
                                       base(scene) + ".svg", scene};
    for (const QueryTable* table : byScene[scene]) arguments.push_back(table->mode);
    const Gnuplot ran = runGnuplot(arguments);
    if (ran == Gnuplot::badly) throw InputError(base(scene) + ".dat", "gnuplot", "failed, see its message");
    if (ran == Gnuplot::notThere)
      return fmt::format("gnuplot is not installed: {} holds data files and no pictures", folder);
  }
  return fmt::format("{} pictures in {}", scenes.size(), folder);
}

}  // namespace fitup::bench
