#include <nlohmann/json.hpp>

#include <fitup/base/error.h>
#include <fitup/io/detail/json_fields.h>

#include "results.h"

namespace fitup::bench {
namespace {

using Json = nlohmann::ordered_json;
constexpr int formatVersion = 1;

Json intervalJson(const MedianInterval& m) {
  Json j{{"median", m.median}, {"low", m.low}, {"high", m.high}};
  if (m.values > 0) j["values"] = m.values;
  return j;
}
MedianInterval intervalOf(const Json& j) {
  return {j.at("low"), j.at("median"), j.at("high"), j.value("values", 0)};
}

void put(Json& j, const char* key, const std::optional<double>& value) {
  if (value) j[key] = *value;
}
std::optional<double> optionalNumber(const Json& j, const char* key) {
  if (!j.contains(key)) return std::nullopt;
  return j.at(key).get<double>();
}

Json leadJson(const std::optional<Lead>& lead) {
  if (!lead) return nullptr;
  return {{"peer", lead->peer}, {"timesFaster", intervalJson(lead->times)}};
}
std::optional<Lead> leadOf(const Json& j) {
  if (j.is_null()) return std::nullopt;
  return Lead{j.at("peer"), intervalOf(j.at("timesFaster"))};
}

Movement movementOf(const std::string& text) {
  for (const Movement m : {Movement::poses, Movement::rewrites, Movement::rebuilds, Movement::notMoved})
    if (text == name(m)) return m;
  throw InputError("benchmark file", "movement", "unknown: " + text);
}

Json infoJson(const ContestantInfo& c) {
  return {{"name", c.name},      {"library", c.software},        {"builtFor", c.builtFor},
          {"note", c.note},      {"movement", name(c.movement)}, {"fitup", c.fitup},
          {"threads", c.threads}};
}
ContestantInfo infoOf(const Json& j) {
  return {j.at("name"),  j.at("library"), j.at("builtFor"), j.at("note"), movementOf(j.at("movement")),
          j.at("fitup"), j.at("threads")};
}

Json rowJson(const QueryRow& row) {
  Json j{{"contestant", row.contestant}};
  if (!row.leftOut.empty()) {
    j["leftOut"] = row.leftOut;
    return j;
  }
  j["milliseconds"] = intervalJson(row.milliseconds);
  j["ratio"] = intervalJson(row.ratio);
  j["rounds"] = row.rounds;
  j["stepsTimed"] = row.stepsTimed;
  j["stepsChecked"] = row.stepsChecked;
  put(j, "boxTests", row.boxTests);
  put(j, "boxUpdates", row.boxUpdates);
  put(j, "triangleTests", row.triangleTests);
  j["found"] = row.found;
  j["expected"] = row.expected;
  j["wrongQuestions"] = row.wrongPairs;
  j["missed"] = row.missed;
  j["invented"] = row.invented;
  put(j, "largestError", row.largestError);
  return j;
}
QueryRow rowOf(const Json& j) {
  QueryRow row;
  row.contestant = j.at("contestant");
  row.leftOut = j.value("leftOut", "");
  if (!row.leftOut.empty()) return row;
  row.milliseconds = intervalOf(j.at("milliseconds"));
  row.ratio = intervalOf(j.at("ratio"));
  row.rounds = j.at("rounds");
  row.stepsTimed = j.at("stepsTimed");
  row.stepsChecked = j.at("stepsChecked");
  row.boxTests = optionalNumber(j, "boxTests");
  row.boxUpdates = optionalNumber(j, "boxUpdates");
  row.triangleTests = optionalNumber(j, "triangleTests");
  row.found = j.at("found");
  row.expected = j.at("expected");
  row.wrongPairs = j.at("wrongQuestions");
  row.missed = j.at("missed");
  row.invented = j.at("invented");
  row.largestError = optionalNumber(j, "largestError");
  return row;
}

Json tableJson(const QueryTable& table) {
  Json j{{"scene", table.scene},         {"mode", table.mode},         {"steps", table.steps},
         {"questions", table.questions}, {"hitShare", table.hitShare}, {"rows", Json::array()}};
  for (const QueryRow& row : table.rows) j["rows"].push_back(rowJson(row));
  if (table.overAllTriangles) j["overAllTriangles"] = intervalJson(*table.overAllTriangles);
  j["overExact"] = leadJson(table.overExact);
  j["overNearlyExact"] = leadJson(table.overNearlyExact);
  return j;
}
QueryTable tableOf(const Json& j) {
  QueryTable table;
  table.scene = j.at("scene");
  table.mode = j.at("mode");
  table.steps = j.at("steps");
  table.questions = j.at("questions");
  table.hitShare = j.at("hitShare");
  for (const Json& row : j.at("rows")) table.rows.push_back(rowOf(row));
  if (j.contains("overAllTriangles")) table.overAllTriangles = intervalOf(j.at("overAllTriangles"));
  table.overExact = leadOf(j.at("overExact"));
  table.overNearlyExact = leadOf(j.at("overNearlyExact"));
  return table;
}

Json buildJson(const BuildTable& table) {
  Json j{{"scene", table.scene},
         {"parts", table.parts},
         {"triangles", table.triangles},
         {"rows", Json::array()}};
  for (const BuildRow& row : table.rows) {
    Json r{{"contestant", row.contestant},
           {"megatrianglesPerSecond", intervalJson(row.megatrianglesPerSecond)}};
    put(r, "bytesPerTriangle", row.bytesPerTriangle);
    j["rows"].push_back(std::move(r));
  }
  return j;
}
BuildTable buildOf(const Json& j) {
  BuildTable table{j.at("scene"), j.at("parts"), j.at("triangles"), {}};
  for (const Json& r : j.at("rows"))
    table.rows.push_back({r.at("contestant"), intervalOf(r.at("megatrianglesPerSecond")),
                          optionalNumber(r, "bytesPerTriangle")});
  return table;
}

}  // namespace

std::string toJson(const Results& results) {
  const Machine& m = results.machine;
  Json j{{"format", "fitup-benchmark"},
         {"version", formatVersion},
         {"machine",
          {{"cpu", m.cpu},
           {"processors", m.processors},
           {"system", m.system},
           {"compiler", m.compiler},
           {"flags", m.flags},
           {"fitup", m.fitup}}},
         {"reference", results.reference},
         {"rounds", results.rounds},
         {"quick", results.quick},
         {"clock", results.clock}};
  for (const char* list : {"contestants", "queries", "builds"}) j[list] = Json::array();
  for (const ContestantInfo& c : results.contestants) j["contestants"].push_back(infoJson(c));
  for (const QueryTable& table : results.queries) j["queries"].push_back(tableJson(table));
  for (const BuildTable& table : results.builds) j["builds"].push_back(buildJson(table));
  return j.dump(1) + "\n";
}

Results resultsFromJson(const std::string& text, const std::string& file) {
  try {
    const Json j = Json::parse(text);
    if (j.at("format") != "fitup-benchmark" || j.at("version") != formatVersion)
      throw InputError(file, "format", "is not fitup-benchmark, version 1");
    Results results;
    const Json& m = j.at("machine");
    results.machine = {m.at("cpu"),   m.at("system"), m.at("compiler"),
                       m.at("flags"), m.at("fitup"),  m.at("processors")};
    results.reference = j.at("reference");
    results.rounds = j.at("rounds");
    results.quick = j.at("quick");
    results.clock = j.at("clock");
    for (const Json& c : j.at("contestants")) results.contestants.push_back(infoOf(c));
    for (const Json& table : j.at("queries")) results.queries.push_back(tableOf(table));
    for (const Json& table : j.at("builds")) results.builds.push_back(buildOf(table));
    return results;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(file, "", fitup::detail::problemOf(error));
  }
}

}  // namespace fitup::bench
