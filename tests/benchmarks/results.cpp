#include "results.h"

#include <algorithm>

#include <fitup/base/error.h>

namespace fitup::bench {

const char* name(Movement movement) noexcept {
  switch (movement) {
    case Movement::poses:
      return "poses";
    case Movement::rewrites:
      return "rewrites";
    case Movement::rebuilds:
      return "rebuilds";
    case Movement::notMoved:
      return "not moved";
  }
  return "";
}

const ContestantInfo& Results::info(const std::string& contestant) const {
  const auto it = std::find_if(contestants.begin(), contestants.end(),
                               [&](const ContestantInfo& c) { return c.name == contestant; });
  if (it == contestants.end()) throw InputError("results", contestant, "is no contestant of this run");
  return *it;
}

bool Results::fitupAgrees() const {
  for (const QueryTable& table : queries)
    for (const QueryRow& row : table.rows)
      if (info(row.contestant).fitup && !row.exact()) return false;
  return true;
}

void findLeads(QueryTable& table, const Results& results) {
  table.overExact.reset();
  table.overNearlyExact.reset();
  for (const QueryRow& row : table.rows) {
    const ContestantInfo& info = results.info(row.contestant);
    if (info.fitup || info.movement == Movement::notMoved || !row.leftOut.empty() || row.rounds == 0 ||
        row.contestant == results.reference)
      continue;
    const auto consider = [&](std::optional<Lead>& lead) {
      if (!lead || row.ratio.median < lead->times.median) lead = {row.contestant, row.ratio};
    };
    if (row.exact()) consider(table.overExact);
    if (row.nearlyExact()) consider(table.overNearlyExact);
  }
}

}  // namespace fitup::bench
