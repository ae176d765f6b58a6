#include <algorithm>

#include <fmt/format.h>

#include "results.h"

namespace fitup::bench {
namespace {

std::string number(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : std::string("-");
}

std::string leadText(const char* over, const std::optional<Lead>& lead) {
  if (!lead) return fmt::format("  no moving peer {}\n", over);
  return fmt::format("  {} times as fast as {}, the fastest moving peer {}\n", text(lead->times), lead->peer,
                     over);
}

}  // namespace

std::string machineText(const Machine& m) {
  return fmt::format("{}\n{}, {} processors, {}\n{}\nflags {}\n", m.fitup, m.cpu, m.processors, m.system,
                     m.compiler, m.flags);
}

std::string headText(const Results& results) {
  std::string head = machineText(results.machine);
  head += fmt::format(
      "1x is {}; {} time, medians of {} rounds, in turn, [95 % intervals] or (ranges of fewer than "
      "six){}\n\n",
      results.reference, results.clock, results.rounds,
      results.quick ? "; QUICK: these times mean nothing" : "");
  for (const ContestantInfo& c : results.contestants)
    head += fmt::format("  {:<26}{:<14}{:<10} {}{}{}\n", c.name, c.software, name(c.movement), c.builtFor,
                        c.note.empty() ? "" : "; ", c.note);
  return head;
}

std::string tableText(const QueryTable& table, const Results& results) {
  std::string out = fmt::format("\n{}, {}: {} steps, {} questions, {:.0f} % with hits\n", table.scene,
                                table.mode, table.steps, table.questions, 100 * table.hitShare);
  out += fmt::format("{:<27}{:>28}{:>24}{:>11}{:>10}{:>13}{:>9}\n", "", "ms a step", "times reference",
                     "box tests", "updates", "steps/rounds", "found");
  for (const QueryRow& row : table.rows) {
    if (!row.leftOut.empty()) {
      out += fmt::format("{:<27}  left out: {}\n", row.contestant, row.leftOut);
      continue;
    }
    out += fmt::format("{:<27}{:>28}{:>24}{:>11}{:>10}{:>13}{:>9}", row.contestant, text(row.milliseconds),
                       text(row.ratio), number(row.boxTests, 0), number(row.boxUpdates, 0),
                       fmt::format("{}/{}", row.stepsTimed, row.rounds), row.found);
    if (row.stepsChecked < table.steps)
      out += fmt::format(" of {} in {} steps", row.expected, row.stepsChecked);
    if (!row.exact())
      out += row.largestError ? fmt::format("  WRONG on {} questions: {} too far, {} too near",
                                            row.wrongPairs, row.missed, row.invented)
                              : fmt::format("  WRONG on {} questions: {} missed, {} invented", row.wrongPairs,
                                            row.missed, row.invented);
    if (row.largestError && *row.largestError > 0)
      out += fmt::format("  largest error {:.1e} of the diagonal", *row.largestError);
    out += "\n";
  }
  if (table.overAllTriangles)
    out += fmt::format("  {} times as fast as {} itself for all triangles\n", text(*table.overAllTriangles),
                       results.reference);
  const bool hasPeers = std::any_of(table.rows.begin(), table.rows.end(),
                                    [&](const QueryRow& row) { return !results.info(row.contestant).fitup; });
  if (!hasPeers) return out;
  out += leadText("that is exact here", table.overExact);
  out += leadText("that is right to 0.1 %", table.overNearlyExact);
  return out;
}

std::string tableText(const BuildTable& table) {
  std::string out =
      fmt::format("\n{}, building: {} parts, {} triangles\n", table.scene, table.parts, table.triangles);
  out += fmt::format("{:<27}{:>34}{:>18}\n", "", "million triangles/s", "bytes a triangle");
  for (const BuildRow& row : table.rows)
    out += fmt::format("{:<27}{:>34}{:>18}\n", row.contestant, text(row.megatrianglesPerSecond),
                       number(row.bytesPerTriangle, 1));
  return out;
}

}  // namespace fitup::bench
