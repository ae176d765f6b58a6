#include <algorithm>

#include <fmt/format.h>

#include "results.h"

namespace fitup::bench {
namespace {

std::string escaped(std::string text) {
  for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) text.insert(i, 1, '\\');
  return text;
}

const QueryRow* rowOf(const QueryTable& table, const std::string& contestant) {
  for (const QueryRow& row : table.rows)
    if (row.contestant == contestant) return &row;
  return nullptr;
}

/// Returns "1.75 [1.74, 1.77]", with the remarks that a reader needs.
std::string cell(const QueryTable& table, const std::string& contestant, const std::string& reference) {
  const QueryRow* row = rowOf(table, contestant);
  if (row == nullptr) return "";
  if (!row->leftOut.empty()) return "(" + row->leftOut + ")";
  std::string out = contestant == reference ? text(row->milliseconds) + " ms" : text(row->ratio);
  if (!row->exact())
    out += row->largestError ? fmt::format(", {} too far, {} too near", row->missed, row->invented)
                             : fmt::format(", {} missed, {} invented", row->missed, row->invented);
  if (row->stepsTimed < table.steps || row->stepsChecked < table.steps)
    out +=
        fmt::format(" ({} of {} steps timed, {} compared)", row->stepsTimed, table.steps, row->stepsChecked);
  return out;
}

std::string leadCell(const std::optional<Lead>& lead) {
  return lead ? fmt::format("{} over {}", text(lead->times), lead->peer) : std::string("no peer qualifies");
}

/// Returns a table per scene: contestants down, modes across.
std::string sceneMarkdown(const std::vector<const QueryTable*>& tables, const Results& results) {
  const QueryTable& any = *tables.front();
  std::string out = fmt::format(
      "\n## {}\n\n{} steps, {} questions, {:.0f} % with hits. {} in ms a step; others in "
      "times that.\n\n|",
      any.scene, any.steps, any.questions, 100 * any.hitShare, results.reference);
  for (const QueryTable* table : tables) out += " | " + table->mode;
  out += " |\n|---|";
  for (std::size_t i = 0; i < tables.size(); ++i) out += "---|";
  out += "\n";
  for (const ContestantInfo& c : results.contestants) {
    std::string line = "| " + escaped(c.name);
    bool isThere = false;
    for (const QueryTable* table : tables) {
      const std::string text = cell(*table, c.name, results.reference);
      isThere = isThere || !text.empty();
      line += " | " + text;
    }
    if (isThere) out += line + " |\n";
  }
  const auto line = [&](const char* title, auto&& textOf) {
    out += std::string("| ") + title;
    for (const QueryTable* table : tables) out += " | " + textOf(*table);
    out += " |\n";
  };
  const auto count = [&](std::optional<double> QueryRow::*field) {
    return [&results, field](const QueryTable& table) {
      const QueryRow* row = rowOf(table, results.reference);
      return row != nullptr && row->*field ? fmt::format("{:.0f}", *(row->*field)) : std::string();
    };
  };
  line("box tests a step", count(&QueryRow::boxTests));
  line("box updates a step", count(&QueryRow::boxUpdates));
  line("pairs found", [&](const QueryTable& table) {
    const QueryRow* row = rowOf(table, results.reference);
    return row != nullptr ? std::to_string(row->found) : std::string();
  });
  if (std::any_of(tables.begin(), tables.end(), [](const QueryTable* t) { return t->overAllTriangles; }))
    line("over its own all triangles",
         [](const QueryTable& t) { return t.overAllTriangles ? text(*t.overAllTriangles) : std::string(); });
  const bool hasPeers = std::any_of(results.contestants.begin(), results.contestants.end(),
                                    [](const ContestantInfo& c) { return !c.fitup; });
  if (!hasPeers) return out;
  line("**over the fastest exact moving peer**", [](const QueryTable& t) { return leadCell(t.overExact); });
  line("**over the fastest right to 0.1 %**",
       [](const QueryTable& t) { return leadCell(t.overNearlyExact); });
  return out;
}

std::string buildMarkdown(const Results& results) {
  std::string out =
      "\n## Building and memory\n\nMillion triangles a second on one thread; bytes a triangle of the "
      "hierarchy without "
      "points and triangle indices, where the library reports them.\n\n|";
  for (const BuildTable& table : results.builds)
    out += fmt::format(" | {} ({} triangles) | bytes", table.scene, table.triangles);
  out += " |\n|---|";
  for (std::size_t i = 0; i < results.builds.size(); ++i) out += "---|---|";
  out += "\n";
  for (const ContestantInfo& c : results.contestants) {
    out += "| " + escaped(c.name);
    for (const BuildTable& table : results.builds) {
      const auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                    [&](const BuildRow& r) { return r.contestant == c.name; });
      if (row == table.rows.end())
        out += " | | ";
      else
        out += fmt::format(" | {} | {}", text(row->megatrianglesPerSecond),
                           row->bytesPerTriangle ? fmt::format("{:.0f}", *row->bytesPerTriangle) : "");
    }
    out += " |\n";
  }
  return out;
}

}  // namespace

std::string toMarkdown(const Results& results) {
  const Machine& m = results.machine;
  std::string out = fmt::format(
      "# Benchmark\n\n{}{}, {}, {} processors, {}, {}, flags `{}`. One thread, {} time; medians of {} "
      "rounds, "
      "contestants in turn, in brackets with 95 % intervals; in parentheses with the range of fewer than six "
      "rounds.\n\n| contestant | library | what moves | built for | |\n|---|---|---|---|---|\n",
      results.quick ? "**A quick run: these times mean nothing.**\n\n" : "", m.fitup, m.cpu, m.processors,
      m.system, m.compiler, m.flags, results.clock, results.rounds);
  for (const ContestantInfo& c : results.contestants)
    out += fmt::format("| {} | {} | {} | {} | {} |\n", escaped(c.name), escaped(c.software), name(c.movement),
                       escaped(c.builtFor), escaped(c.note));
  for (std::size_t i = 0; i < results.queries.size();) {
    std::vector<const QueryTable*> tables;
    const std::string& scene = results.queries[i].scene;
    for (; i < results.queries.size() && results.queries[i].scene == scene; ++i)
      tables.push_back(&results.queries[i]);
    out += sceneMarkdown(tables, results);
  }
  if (!results.builds.empty()) out += buildMarkdown(results);
  return out;
}

}  // namespace fitup::bench
