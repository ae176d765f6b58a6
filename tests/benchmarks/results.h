#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "statistics.h"

namespace fitup::bench {

/// How a contestant handles a part that has moved since the last question.
enum class Movement {
  poses,     ///< takes a pose with the question
  rewrites,  ///< gets new vertices and refits or rebuilds its hierarchy, inside the clock
  rebuilds,  ///< takes a pose, but copies, moves and rebuilds its models in every question
  notMoved,  ///< everything was prepared outside the clock: a lower bound, not a peer
};
const char* name(Movement movement) noexcept;

struct ContestantInfo {
  std::string name;      ///< name of its rows
  std::string software;  ///< name and version
  std::string builtFor;  ///< instruction set, if it is known
  std::string note;
  Movement movement = Movement::poses;
  bool fitup = false;
  unsigned threads = 1;
};

/// A row of a table of queries: one contestant in one scene and mode.
struct QueryRow {
  std::string contestant;
  MedianInterval milliseconds;  ///< per step, over the steps it was timed on
  MedianInterval ratio;         ///< its time / the reference's over the same steps, round by round
  int rounds = 0;
  std::size_t stepsTimed = 0;                                 ///< distinct steps, over all rounds
  std::size_t stepsChecked = 0;                               ///< steps on which its answers were compared
  std::optional<double> boxTests, boxUpdates, triangleTests;  ///< per step, over the checked steps
  std::size_t found = 0;                 ///< pairs, over the checked steps; for distances, right answers
  std::size_t expected = 0;              ///< by Fitup, over the same steps
  std::size_t wrongPairs = 0;            ///< pairs of parts on which the answers differ
  std::size_t missed = 0, invented = 0;  ///< pairs; differences of the numbers, if answers list no pairs
  std::optional<double> largestError;    ///< for distances, in diagonals of the box of both parts
  std::string leftOut;                   ///< why there are no times, otherwise empty

  [[nodiscard]] bool exact() const { return wrongPairs == 0; }
  /// Whether at most one pair in a thousand is wrong.
  [[nodiscard]] bool nearlyExact() const {
    return static_cast<double>(missed + invented) <= 1e-3 * static_cast<double>(expected);
  }
};

/// The fastest peer that qualifies, and how many times faster the reference is.
struct Lead {
  std::string peer;
  MedianInterval times;
};

struct QueryTable {
  std::string scene, mode;
  std::size_t steps = 0;
  std::size_t questions = 0;  ///< pairs of parts, over all steps
  double hitShare = 0;        ///< share of the questions whose answer is not empty
  std::vector<QueryRow> rows;
  /// How many times faster the reference is than for all pairs of triangles; unset for that question itself,
  /// for distances, and if the reference does not answer it.
  std::optional<MedianInterval> overAllTriangles;
  std::optional<Lead> overExact;        ///< over peers that move and answered everything exactly
  std::optional<Lead> overNearlyExact;  ///< over those with at most one wrong answer in a thousand
};

/// The building time and memory of one contestant for the parts of a scene.
struct BuildRow {
  std::string contestant;
  MedianInterval megatrianglesPerSecond;
  std::optional<double> bytesPerTriangle;
};
struct BuildTable {
  std::string scene;
  std::size_t parts = 0, triangles = 0;
  std::vector<BuildRow> rows;
};

struct Machine {
  std::string cpu, system, compiler, flags, fitup;
  unsigned processors = 0;
};

/// Everything that one run measured; the only source of what is printed, written and plotted.
struct Results {
  Machine machine;
  std::string reference;  ///< the contestant that is 1x
  int rounds = 0;
  bool quick = false;
  std::string clock;  ///< processor or wall time
  std::vector<ContestantInfo> contestants;
  std::vector<QueryTable> queries;
  std::vector<BuildTable> builds;

  [[nodiscard]] const ContestantInfo& info(const std::string& contestant) const;
  /// Whether all rows of Fitup found the same.
  [[nodiscard]] bool fitupAgrees() const;
};

/// Sets the table's leads from its rows.
void findLeads(QueryTable& table, const Results& results);

/// Returns the data of this machine and this build.
Machine thisMachine();

/// Versions, processor and flags.
std::string machineText(const Machine& machine);
/// Tables for a terminal.
std::string headText(const Results& results);
std::string tableText(const QueryTable& table, const Results& results);
std::string tableText(const BuildTable& table);

/// The format is in docs/reference/benchmark.md.
std::string toJson(const Results& results);
/// Throws InputError for any other file.
Results resultsFromJson(const std::string& text, const std::string& file = "benchmark file");

std::string toMarkdown(const Results& results);

/// Writes a data file and an SVG for each scene and mode into `folder`, which is created; the pictures need
/// gnuplot. Returns a message for the user.
std::string plot(const Results& results, const std::string& folder);

}  // namespace fitup::bench
