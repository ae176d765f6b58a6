#include <fitup/io/report_file.h>

#include <algorithm>
#include <ostream>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/atomic_file.h>
#include <fitup/io/detail/csv.h>
#include <fitup/io/detail/json_fields.h>
#include <fitup/io/detail/report_rows.h>

namespace fitup {
namespace {

using Json = nlohmann::ordered_json;
using detail::ReportNames;

constexpr int version = 1;

bool isIncomplete(const Model& model) {
  return std::any_of(model.warnings.begin(), model.warnings.end(),
                     [](const auto& w) { return w.incomplete; });
}

// ---- JSON: one line for each pair of instances, so that large reports are written as a stream ----

/// Names from files may hold anything; a report is always UTF-8.
std::string dump(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json statsJson(const QueryStats& stats) {
  return {{"boxTests", stats.boxTests},
          {"boxUpdates", stats.boxUpdates},
          {"surfaceCandidates", stats.surfaceCandidates},
          {"triangleCandidates", stats.triangleCandidates},
          {"triangleTests", stats.triangleTests},
          {"exactTests", stats.exactTests},
          {"overlapBoxRejected", stats.overlapBoxRejected}};
}

Json requestJson(const InterferenceOptions& options) {
  const IntersectionRequest& request = options.request;
  Json json{{"mode", name(request.mode)},
            {"hierarchy", name(request.hierarchy)},
            {"touching", request.touching == Touching::include ? "include" : "exclude"},
            {"overlapBox", name(request.overlapBox)},
            {"stopAtFirstPair", options.stopAtFirstPair}};
  if (request.limits.maxPairs) json["maxPairs"] = *request.limits.maxPairs;
  if (request.limits.timeBudget)
    json["timeBudgetMilliseconds"] = static_cast<double>(request.limits.timeBudget->count()) * 1e-6;
  Json rules = Json::array();
  for (const ExclusionRule& rule : options.rules.rules)
    rules.push_back({{"a", rule.a}, {"b", rule.b}, {"reason", rule.reason}});
  json["ignore"] = std::move(rules);
  return json;
}

Json headJson(const char* kind, const ReportContext& context, const Model& model, ReportStatus status,
              bool intersects) {
  Json json{{"format", "fitup-report"}, {"version", version}, {"kind", kind}, {"program", context.program}};
  json["model"] = {{"file", context.modelFile},
                   {"hash", hashText(model.assembly.contentHash())},
                   {"unit", model.assembly.unit()},
                   {"source", model.source.path},
                   {"sourceHash", hashText(model.source.hash)},
                   {"importOptions", model.source.importOptions}};
  if (!context.trackFile.empty()) json["track"] = context.trackFile;
  json["request"] = requestJson(context.options);
  json["status"] = name(status);
  json["intersects"] = intersects;
  json["geometryIncomplete"] = isIncomplete(model);
  Json warnings = Json::array();
  for (const ImportWarning& warning : model.warnings)
    warnings.push_back(
        {{"element", warning.element}, {"message", warning.message}, {"incomplete", warning.incomplete}});
  json["warnings"] = std::move(warnings);
  return json;
}

void addSummary(Json& json, const InterferenceReport& report) {
  json["consideredPairs"] = report.consideredPairs;
  json["excludedPairs"] = report.excludedPairs;
  json["narrowPairs"] = report.narrowPairs;
  json["milliseconds"] = report.milliseconds;
  json["stats"] = statsJson(report.stats);
}

Json surfaceJson(const detail::ReportedSurface& surface) {
  return {{"ordinal", surface.ordinal}, {"name", surface.name}, {"description", surface.description}};
}

Json pairJson(const PairInterference& pair, ReportNames& names) {
  Json json{{"a", names.path(pair.a)}, {"b", names.path(pair.b)}, {"status", name(pair.report.status)}};
  Json surfaces = Json::array();
  for (const detail::ReportedSurfacePair& s : names.surfacePairs(pair))
    surfaces.push_back({{"a", surfaceJson(s.a)}, {"b", surfaceJson(s.b)}, {"triangles", s.triangles}});
  json["surfacePairs"] = std::move(surfaces);
  return json;
}

/// The object without its closing brace, so that a list can follow.
std::string opened(const Json& json, int indent) {
  std::string text = dump(json, indent);
  text.pop_back();
  while (text.back() == '\n') text.pop_back();
  return text;
}

void writePairs(std::ostream& out, const InterferenceReport& report, ReportNames& names,
                const std::string& indent) {
  out << "\"pairs\": [";
  for (std::size_t i = 0; i < report.pairs.size(); ++i)
    out << (i > 0 ? "," : "") << "\n" << indent << " " << dump(pairJson(report.pairs[i], names));
  out << (report.pairs.empty() ? "]" : "\n" + indent + "]");
}

// ---- CSV: one row for each pair of triangles ----

void writeCsvHead(std::ostream& out, const ReportContext& context, const Model& model, ReportStatus status) {
  out << detail::csvLine({"# fitup-report", std::to_string(version)});
  out << detail::csvLine({"# program", context.program});
  out << detail::csvLine({"# model", context.modelFile});
  out << detail::csvLine({"# unit", model.assembly.unit()});
  if (!context.trackFile.empty()) out << detail::csvLine({"# track", context.trackFile});
  out << detail::csvLine({"# status", std::string(name(status))});
  for (const ImportWarning& warning : model.warnings)
    out << detail::csvLine(
        {warning.incomplete ? "# incomplete" : "# warning", warning.element, warning.message});
  out << "step,a,b,status,surface_a,name_a,description_a,surface_b,name_b,description_b,triangle_a,triangle_"
         "b\n";
}

void writeCsvRows(std::ostream& out, const std::string& step, const InterferenceReport& report,
                  ReportNames& names) {
  for (const PairInterference& pair : report.pairs) {
    const std::vector<std::string> head{step, names.path(pair.a), names.path(pair.b),
                                        std::string(name(pair.report.status))};
    const auto surfacePairs = names.surfacePairs(pair);
    if (surfacePairs.empty()) {  // cut short before anything was found
      std::vector<std::string> row = head;
      row.resize(12);
      out << detail::csvLine(row);
    }
    for (const detail::ReportedSurfacePair& s : surfacePairs)
      for (const auto& [a, b] : s.triangles) {
        std::vector<std::string> row = head;
        for (const detail::ReportedSurface* surface : {&s.a, &s.b})
          row.insert(row.end(), {std::to_string(surface->ordinal), surface->name, surface->description});
        row.insert(row.end(), {std::to_string(a), std::to_string(b)});
        out << detail::csvLine(row);
      }
  }
}

/// Calls the writer that the extension asks for.
template <typename WriteJson, typename WriteCsv>
void writeByExtension(const std::filesystem::path& file, WriteJson writeJson, WriteCsv writeCsv) {
  const std::filesystem::path extension = file.extension();
  if (extension == ".json")
    writeFileAtomically(file, writeJson);
  else if (extension == ".csv")
    writeFileAtomically(file, writeCsv);
  else
    throw InputError(file.string(), "extension '" + extension.string() + "'", "reports are .json or .csv");
}

}  // namespace

void writeReport(const std::filesystem::path& file, const ReportContext& context, const Model& model,
                 const InterferenceReport& report) {
  ReportNames names(model.assembly);
  writeByExtension(
      file,
      [&](std::ostream& out) {
        Json head = headJson("check", context, model, report.status, report.intersects());
        addSummary(head, report);
        out << opened(head, 1) << ",\n ";
        writePairs(out, report, names, " ");
        out << "\n}\n";
      },
      [&](std::ostream& out) {
        writeCsvHead(out, context, model, report.status);
        writeCsvRows(out, "", report, names);
      });
}

void writeReport(const std::filesystem::path& file, const ReportContext& context, const Model& model,
                 const ReplayReport& report) {
  ReportNames names(model.assembly);
  writeByExtension(
      file,
      [&](std::ostream& out) {
        const bool intersects =
            std::any_of(report.steps.begin(), report.steps.end(),
                        [](const ReplayStep& step) { return step.interference.intersects(); });
        out << opened(headJson("replay", context, model, report.status, intersects), 1) << ",\n \"steps\": [";
        for (std::size_t i = 0; i < report.steps.size(); ++i) {
          const InterferenceReport& interference = report.steps[i].interference;
          Json head{{"step", report.steps[i].step},
                    {"status", name(interference.status)},
                    {"intersects", interference.intersects()}};
          addSummary(head, interference);
          out << (i > 0 ? ",\n  " : "\n  ") << opened(head, -1) << ",\n   ";
          writePairs(out, interference, names, "   ");
          out << "}";
        }
        out << (report.steps.empty() ? "]" : "\n ]") << "\n}\n";
      },
      [&](std::ostream& out) {
        writeCsvHead(out, context, model, report.status);
        for (const ReplayStep& step : report.steps)
          writeCsvRows(out, std::to_string(step.step), step.interference, names);
      });
}

}  // namespace fitup
