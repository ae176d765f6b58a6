#include <fitup/io/report_formats/csv.h>

#include <fitup/base/text.h>
#include <fitup/io/detail/csv.h>
#include <fitup/io/detail/gathered_findings.h>
#include <fitup/io/report_formats/json.h>

namespace fitup::detail {
namespace {

constexpr const char* columns =
    "step,a,b,status,surface_a,name_a,description_a,surface_b,name_b,description_b,triangle_a,triangle_b,"
    "id,x,y,z,verdict,tolerance,depth,depth_error_bound,depth_is_lower_bound,distance,too_near,rule,review,"
    "comment,change,copies,volume,volume_error_bound,way_out_x,way_out_y,way_out_z,chord_error,rounding\n";
constexpr std::size_t columnsBeforeId = 12;

std::string numberOrEmpty(const std::optional<double>& value) {
  return value ? numberText(*value) : std::string();
}

/// The columns from `id` on. `ofPair` has what only the pair of parts has.
std::vector<std::string> tailOf(const std::string& id, const Assessment& assessment, const Assessment& ofPair,
                                const std::optional<std::size_t>& rule, const Review& review,
                                const std::optional<FindingChange>& change, std::size_t copies) {
  std::vector<std::string> tail{id};
  for (int axis = 0; axis < 3; ++axis)
    tail.push_back(assessment.point ? numberText((*assessment.point)[axis]) : "");
  tail.push_back(assessment.verdict ? std::string(name(*assessment.verdict)) : "");
  tail.push_back(numberOrEmpty(assessment.tolerance));
  tail.push_back(numberOrEmpty(assessment.depth));
  tail.push_back(!assessment.depth ? "" : numberText(assessment.depthErrorBound));
  tail.push_back(!assessment.depth ? "" : assessment.depthIsLowerBound ? "true" : "false");
  tail.push_back(numberOrEmpty(assessment.distance));
  tail.push_back(assessment.tooNear ? "true" : "");
  tail.push_back(rule ? std::to_string(*rule) : "");
  tail.emplace_back(name(review.status));
  tail.push_back(review.comment);
  tail.push_back(change ? std::string(name(*change)) : "");
  tail.push_back(copies > 0 ? std::to_string(copies) : "");
  tail.push_back(numberOrEmpty(ofPair.volume));
  tail.push_back(!ofPair.volume ? "" : numberText(ofPair.volumeErrorBound));
  for (int axis = 0; axis < 3; ++axis)
    tail.push_back(ofPair.wayOut ? numberText((*ofPair.wayOut)[axis]) : "");
  for (const double bound : {assessment.chordError, assessment.rounding})
    tail.push_back(bound > 0 ? numberText(bound) : "");
  return tail;
}

/// A line that readers of the table skip. It must be a single line, so line ends in file names are replaced.
std::string commentLine(std::vector<std::string> fields) {
  for (std::string& field : fields)
    for (char& c : field)
      if (c == '\n' || c == '\r') c = ' ';
  return csvLine(fields);
}

void writeCounts(std::ostream& out, const FindingCounts& counts) {
  const auto line = [&](const char* name, std::size_t count) {
    out << commentLine({name, std::to_string(count)});
  };
  line("# pairs of parts", counts.pairsOfParts);
  line("# pairs of faces", counts.pairsOfFaces);
  if (counts.copySets > 0) line("# sets of copies", counts.copySets);
  if (counts.clashes + counts.undecided + counts.contacts + counts.clear > 0) {
    line("# clashes", counts.clashes);
    line("# undecided", counts.undecided);
    line("# contacts", counts.contacts);
  }
  if (counts.tooNear > 0) line("# too near", counts.tooNear);
}

void writePair(std::ostream& out, const std::string& step, const ReportedPair& pair) {
  const std::vector<std::string> head{step, pair.a, pair.b, std::string(name(pair.status))};
  const auto line = [&](std::vector<std::string> row, const std::vector<std::string>& tail) {
    row.resize(columnsBeforeId);
    row.insert(row.end(), tail.begin(), tail.end());
    out << csvLine(row);
  };
  // Also for pairs that were cut short before anything was found, and for clear pairs.
  if (pair.findings.empty() || needsWholePartFinding(pair))
    line(head,
         tailOf(pair.id, pair.assessment, pair.assessment, pair.rule, pair.review, {}, pair.copies.size()));
  for (const ReportedFinding& finding : pair.findings) {
    const auto tail = tailOf(finding.id, finding.assessment, pair.assessment, pair.rule, finding.review,
                             finding.change, pair.copies.size());
    std::vector<std::string> faces = head;
    for (const ReportedSurface* surface : {&finding.a, &finding.b}) {
      faces.insert(faces.end(), {isBetweenWholeParts(finding) ? "" : std::to_string(surface->ordinal),
                                 surface->name, surface->description});
    }
    if (finding.triangles.empty()) line(faces, tail);  // between whole parts
    for (const auto& [a, b] : finding.triangles) {
      std::vector<std::string> row = faces;
      row.insert(row.end(), {std::to_string(a), std::to_string(b)});
      line(std::move(row), tail);
    }
  }
}

}  // namespace

void writeReportCsv(std::ostream& out, const ReportDocument& report) {
  out << commentLine({"# fitup-report", std::to_string(reportVersion)});
  out << commentLine({"# program", report.program});
  out << commentLine({"# model", report.model.file});
  out << commentLine({"# unit", report.model.unit});
  for (const ReportedPlacement& placed : report.model.placed) out << commentLine({"# moved", placed.path});
  if (!report.track.empty()) out << commentLine({"# track", report.track});
  if (report.kind == ReportKind::diff) out << commentLine({"# old", report.oldFile});
  for (const std::string& path : report.placedOtherwise) out << commentLine({"# moved differently", path});
  out << commentLine({"# status", std::string(statusName(report))});
  for (const ImportWarning& warning : report.warnings)
    out << commentLine({warning.incomplete ? "# incomplete" : "# warning", warning.element, warning.message});
  if (report.kind != ReportKind::diff) writeCounts(out, countFindings(gatherPairs(report)));
  for (const ReportedRun& run : report.runs)
    for (const ReportedPair& pair : run.pairs)
      if (!pair.copies.empty()) {
        std::vector<std::string> fields{"# copies", pair.id};
        fields.insert(fields.end(), pair.copies.begin(), pair.copies.end());
        out << commentLine(std::move(fields));
      }
  out << columns;
  for (const ReportedRun& run : report.runs)
    for (const ReportedPair& pair : run.pairs)
      writePair(out, report.kind == ReportKind::replay ? std::to_string(run.step) : "", pair);
}

}  // namespace fitup::detail
