#include <fitup/io/report_formats/html.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numbers>
#include <span>

#include <fitup/base/bounded_text.h>
#include <fitup/base/text.h>
#include <fitup/io/detail/gathered_findings.h>
#include <fitup/io/detail/json_fields.h>
#include <fitup/io/report_formats/json.h>
#include <fitup/io/warning_summary.h>

namespace fitup::detail {
namespace {

using Json = nlohmann::ordered_json;

/// Escapes texts for display: no control characters, and nothing that reverses the direction of a line
/// (`escaped`).
void escapeTexts(Json& json) {
  if (json.is_string()) json = escapedLines(json.get_ref<const std::string&>());
  if (json.is_structured())
    for (Json& element : json) escapeTexts(element);
}

/// JSON that can be part of a script element: without any '<' that could end the element or begin a comment.
std::string embedded(const Json& json) {
  const std::string text = toText(json);
  std::string result;
  result.reserve(text.size());
  for (char c : text)
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  return result;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  result.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t k) {
      return k < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[k])) : 0U;
    };
    const unsigned three = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    result += digits[three >> 18];
    result += digits[three >> 12 & 63];
    result += i + 1 < bytes.size() ? digits[three >> 6 & 63] : '=';
    result += i + 2 < bytes.size() ? digits[three & 63] : '=';
  }
  return result;
}

/// Digits of numbers on the page, if no bound leaves fewer.
constexpr int mostDigits = 5;

/// Up to five digits, for people.
std::string fiveDigits(double value) { return boundedNumber(value, 0, mostDigits); }

/// "1.25,  0,  -3": components up to `bound` are 0.
std::string componentsText(const Vec3& v, double bound) {
  std::string text;
  for (int k = 0; k < 3; ++k) text += (k > 0 ? ",  " : "") + boundedNumber(v[k], bound, mostDigits);
  return text;
}

/// Components of directions are 0 from here on down: a twentieth of a thousandth of their length.
constexpr double leastOfDirection = 5e-5;

/// What people read of an assessment, with digits down to the bounds (`boundedText`): the depth alone, then
/// the depth, distance, point, direction, volume and way out with their units and bounds; empty if unknown.
Json textsOf(const Assessment& a, const std::string& unit) {
  const double bound = a.chordError + a.rounding;
  const bool isExact = a.chordError > 0;
  std::string brief, depth, distance, point, direction, volume, wayOut;
  if (a.depth) {
    const BoundedText text = boundedText(*a.depth, bound, mostDigits, a.depthErrorBound);
    brief = (a.depthIsLowerBound ? "\u2265 " : "") + text.number;
    depth = (a.depthIsLowerBound ? "at least " : "") + text.number + " " + unit;
    if (isExact)
      depth += ", \u00b1 " + text.bound;
    else if (a.depthErrorBound > 0 && !a.depthIsLowerBound)
      depth += ", at most " + text.bound + " more";
  }
  if (a.distance) {
    const BoundedText text = boundedText(*a.distance, bound, mostDigits);
    distance = text.number + " " + unit + (isExact ? ", \u00b1 " + text.bound : "");
  }
  if (a.point) point = componentsText(*a.point, a.rounding) + "  " + unit;
  if (a.direction) direction = componentsText(*a.direction, leastOfDirection);
  if (a.volume) {
    const BoundedText text = boundedText(*a.volume, a.volumeErrorBound, mostDigits);
    const std::string cubed = " " + unit + "\u00b3";
    volume =
        text.number == "0" ? "at most " + text.bound + cubed : text.number + cubed + ", \u00b1 " + text.bound;
  }
  if (a.wayOut) wayOut = componentsText(*a.wayOut, leastOfDirection * norm(*a.wayOut)) + "  " + unit;
  return {brief, depth, distance, point, direction, volume, wayOut};
}

Json numberOrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

/// Ascending steps as ranges, or null.
Json rangesJson(const std::vector<std::size_t>& steps) {
  if (steps.empty()) return nullptr;
  Json ranges = Json::array();
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t last = i;
    while (last + 1 < steps.size() && steps[last + 1] == steps[last] + 1) ++last;
    ranges.push_back({steps[i], steps[last]});
    i = last + 1;
  }
  return ranges;
}

std::string ruleText(const Rule& rule) {
  std::string text = rule.a + "  x  " + rule.b + ": " + std::string(name(rule.action));
  if (rule.action == RuleAction::clearance) text += " " + toText(rule.distance);
  if (rule.action == RuleAction::allowOverlap) text += " " + toText(rule.depth);
  text += requirementsText(rule);
  return rule.reason.empty() ? text : text + " (" + rule.reason + ")";
}

/// A text in HTML outside of scripts.
std::string inHtml(const std::string& text) {
  std::string result;
  for (const char c : escapedLines(text)) switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += c;
    }
  return result;
}

/// The data for the page.
class Page {
 public:
  Page(const ReportDocument& report, const ReportPictures& pictures)
      : report_(report), pictures_(pictures), pairs_(gatherPairs(report, &worstSteps_)) {
    for (ReportedPair& pair : pairs_)  // clear pairs have no findings, but were requested
      if (pair.findings.empty() && pair.assessment.verdict) pair.findings.push_back(wholePartsOf(pair));
  }

  /// What mail programs and others that run no scripts show: the pairs of parts, without their faces.
  void writeWithoutScript(std::ostream& out) const {
    constexpr std::size_t most = 1000;
    out << "<noscript>\n<p>Without JavaScript, this page lists the pairs of parts only. A browser shows all "
           "findings with their pictures.</p>\n";
    std::string open;
    const auto addOpen = [&](bool is, const std::string& what) {
      if (is) open += (open.empty() ? "" : ", ") + what;
    };
    addOpen(report_.status != ReportStatus::complete, "the check was " + std::string(name(report_.status)));
    addOpen(report_.geometryIncomplete, "geometry is missing");
    addOpen(!report_.isDecided(), "verdicts are undecided");
    if (!open.empty()) out << "<p>There may be more clashes: " << open << ".</p>\n";
    out << "<table>\n<tr><th>Part A</th><th>Part B</th><th>Verdict</th>"
           "<th>Depth ("
        << inHtml(report_.model.unit) << ")</th></tr>\n";
    for (const ReportedPair& pair : std::span(pairs_).first(std::min(pairs_.size(), most))) {
      const Assessment& found = pair.assessment;
      const std::string verdict = !pair.copies.empty() ? copiesText(pair.copies.size(), pair.copies.front())
                                  : found.tooNear      ? "too near"
                                  : found.verdict      ? std::string(name(*found.verdict))
                                                       : "intersects";
      out << "<tr>";
      for (const std::string& cell :
           {pair.a, pair.b, verdict, textsOf(found, report_.model.unit)[0].get<std::string>()})
        out << "<td>" << inHtml(cell) << "</td>";
      out << "</tr>\n";
    }
    out << "</table>\n";
    if (pairs_.size() > most) out << "<p>... and " << pairs_.size() - most << " more pairs</p>\n";
    out << "</noscript>\n";
  }

  Json data() {
    Json rows = Json::array(), pairs = Json::array();
    std::size_t carried = 0;
    for (const ReportedPair& pair : pairs_)
      if (verdictAt(pair.assessment) >= 0) pairs.push_back(pairRow(pair));
    for (const ReportedPair& pair : pairs_)
      for (const ReportedFinding& finding : pair.findings) rows.push_back(row(pair, finding));
    for (const ReportedPair& pair : report_.carried) carried += pair.findings.size();
    Json json{{"head", head()}};
    json["head"]["carried"] = carried;
    json["fields"] = {"id",      "a",       "b",           "faceA",    "faceB",     "triangles",
                      "verdict", "depth",   "lower",       "distance", "tolerance", "point",
                      "extent",  "rule",    "review",      "comment",  "change",    "reason",
                      "steps",   "picture", "pictureStep", "place",    "texts",     "whole"};
    json["pairs"] = std::move(pairs);
    json["paths"] = paths_;
    json["rows"] = std::move(rows);
    return json;
  }

 private:
  std::size_t pathAt(const std::string& path) {
    const auto [at, isNew] = pathAt_.try_emplace(path, paths_.size());
    if (isNew) paths_.push_back(path);
    return at->second;
  }

  /// Index in the page's list of verdicts: clear, contact, undecided, too near, clash.
  static int verdictAt(const Assessment& a) {
    return std::max(-1, static_cast<int>(a.severity()) - static_cast<int>(Severity::clear));
  }

  static Json pointJson(const std::optional<Vec3>& p) { return p ? Json{p->x, p->y, p->z} : Json(nullptr); }

  /// For a set of copies: a text, the number of pairs, and the paths. Otherwise null.
  Json copiesJson(const ReportedPair& pair) {
    if (pair.copies.empty()) return nullptr;
    Json paths = Json::array();
    for (const std::string& path : pair.copies) paths.push_back(pathAt(path));
    return {copiesText(pair.copies.size(), pair.copies.front()), pair.copyPairs, paths};
  }

  /// The verdict of a pair as a whole.
  Json pairRow(const ReportedPair& pair) {
    const Assessment& a = pair.assessment;
    return {pathAt(pair.a),
            pathAt(pair.b),
            verdictAt(a),
            numberOrNull(a.depth),
            a.depthIsLowerBound ? 1 : 0,
            numberOrNull(a.distance),
            numberOrNull(a.tolerance),
            pointJson(a.point),
            pointJson(a.direction),
            pair.undecidedBecause,
            pair.volumeUnknownBecause,
            copiesJson(pair),
            textsOf(a, report_.model.unit)};
  }

  Json row(const ReportedPair& pair, const ReportedFinding& finding) {
    // Values that only the pair has (such as the verdict of a pair) apply to its findings.
    const Assessment &own = finding.assessment, &both = pair.assessment;
    const int verdict = own.verdict ? verdictAt(own) : verdictAt(both);
    const std::optional<double>& depth = own.depth;
    const Json point = pointJson(own.point);
    Json extent = nullptr, place = nullptr, step = nullptr;
    if (finding.extent) {
      const Vec3 size = finding.extent->max - finding.extent->min;
      extent = {size.x, size.y, size.z};
    }
    if (const auto at = pictures_.places.find(finding.id); at != pictures_.places.end())
      place = {at->second.first, at->second.second};
    if (const auto at = worstSteps_.find(finding.id); at != worstSteps_.end()) step = at->second;
    return {finding.id,
            pathAt(pair.a),
            pathAt(pair.b),
            pair.copies.empty() ? faceText(finding.a) : "a copy",
            pair.copies.empty() ? faceText(finding.b) : "a copy",
            finding.triangles.size(),
            verdict,
            numberOrNull(depth),
            depth && own.depthIsLowerBound ? 1 : 0,
            numberOrNull(own.distance),
            numberOrNull(own.tolerance ? own.tolerance : both.tolerance),
            point,
            extent,
            pair.rule ? static_cast<int>(*pair.rule) : -1,
            static_cast<int>(finding.review.status),
            finding.review.comment,
            finding.change ? static_cast<int>(*finding.change) : -1,
            finding.changeReason,
            rangesJson(finding.steps),
            pictures_.ofFinding.contains(finding.id) ? 1 : 0,
            step,
            place,
            textsOf(own, report_.model.unit),
            isBetweenWholeParts(finding) ? 1 : 0};
  }

  [[nodiscard]] std::string movedText(const ReportedPlacement& placed) const {
    std::string text = placed.path;
    constexpr double rounding = 1e-9;
    if (placed.distance) {
      const double reach = norm(placed.worldFromPart.t);
      text += ": " + boundedNumber(*placed.distance, rounding * reach, mostDigits) + " " + report_.model.unit;
    }
    if (placed.angle && *placed.angle > rounding)
      text += ", turned by " + boundedNumber(*placed.angle * 180 / std::numbers::pi, rounding, mostDigits) +
              " degrees";
    return text;
  }

  /// The tolerance of the verdicts: the one that was given or, as no tolerance was, those of the pairs.
  [[nodiscard]] std::string toleranceText() const {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const ReportedPair& pair : pairs_) {
      const auto& rules = report_.request.rules.rules;
      const bool isByRule =
          pair.rule && *pair.rule < rules.size() && rules[*pair.rule].action == RuleAction::allowOverlap;
      if (!pair.assessment.tolerance || isByRule) continue;
      least = std::min(least, *pair.assessment.tolerance);
      most = std::max(most, *pair.assessment.tolerance);
    }
    const std::string range = lengthText(most, least < most ? fiveDigits(least) + " to " : std::string());
    if (!report_.request.tolerance) return most > 0 ? range + ", twice the chord error" : "that of each pair";
    if (most > *report_.request.tolerance) return range + ", the smallest that can be measured";
    return lengthText(*report_.request.tolerance) +
           (report_.request.exactShapes ? ", for the exact shapes" : "");
  }

  [[nodiscard]] std::string lengthText(double length, const std::string& before = {}) const {
    return before + fiveDigits(length) + " " + report_.model.unit;
  }

  Json head() const {
    Json warnings = Json::array(), rules = Json::array(), cut = Json::array(), facts = Json::array();
    for (const WarningGroup& group : summarise(report_.warnings)) warnings.push_back(text(group));
    for (const Rule& rule : report_.request.rules.rules) rules.push_back(ruleText(rule));
    std::size_t excluded = 0, unselected = 0, hits = 0, considered = 0, narrow = 0;
    for (const ReportedRun& run : report_.runs) {
      excluded = std::max(excluded, run.excludedPairs);
      unselected = std::max(unselected, run.unselectedPairs);
      considered = std::max(considered, run.consideredPairs);
      narrow = std::max(narrow, run.narrowPairs);
      hits += run.intersects();
    }
    const bool isNothingChecked = report_.kind == ReportKind::check &&
                                  report_.status == ReportStatus::truncated && narrow == 0 &&
                                  considered == excluded + unselected;
    for (const ReportedPair& pair : pairs_)
      if (pair.status != ReportStatus::complete) cut.push_back(pair.a + "  x  " + pair.b);
    if (report_.kind != ReportKind::diff) {
      facts.push_back({"Pairs of instances", std::to_string(considered)});
      facts.push_back({"Overlapping boxes", std::to_string(narrow)});
    }
    if (report_.request.verdicts) facts.push_back({"Tolerance", toleranceText()});
    facts.push_back({"Touching", report_.request.touching});
    if (!report_.model.source.empty()) facts.push_back({"Source", report_.model.source});
    if (!report_.model.importOptions.empty()) facts.push_back({"Import", report_.model.importOptions});
    for (const std::string& file : report_.model.fromCache) facts.push_back({"Read from the cache", file});
    for (const ReportedPlacement& placed : report_.model.placed)
      facts.push_back({"Moved", movedText(placed)});
    if (report_.request.rules.check) {
      const auto joined = [](const std::vector<std::string>& patterns) {
        std::string text;
        for (const std::string& p : patterns) text += (text.empty() ? "" : ", ") + p;
        return text;
      };
      facts.push_back({"Set A", joined(report_.request.rules.check->a)});
      facts.push_back({"Set B", joined(report_.request.rules.check->b)});
    }
    for (const Json& rule : rules) facts.push_back({"Rule", rule});
    return {{"kind", name(report_.kind)},
            {"file", report_.model.file},
            {"unit", report_.model.unit},
            {"program", report_.program},
            {"track", report_.track},
            {"old", report_.oldFile},
            {"placedOtherwise", report_.placedOtherwise},
            {"mode", report_.request.mode},
            {"allTriangles", report_.request.mode == "triangles"},
            {"instances", report_.model.instances.size()},
            {"status", name(report_.status)},
            {"nothingChecked", isNothingChecked},
            {"decided", report_.isDecided()},
            {"incomplete", report_.geometryIncomplete},
            {"warnings", warnings},
            {"rules", rules},
            {"cut", cut},
            {"facts", facts},
            {"counts", countsJson(countFindings(pairs_))},
            {"excluded", excluded},
            {"unselected", unselected},
            {"steps", report_.runs.size()},
            {"hitSteps", hits},
            {"firstStep", report_.runs.empty() ? 0 : report_.runs.front().step},
            {"lastStep", lastStep()},
            {"absence", pictures_.absence}};
  }

  /// A comparison of replays has no runs of its own.
  [[nodiscard]] std::size_t lastStep() const {
    std::size_t last = report_.runs.empty() ? 0 : report_.runs.back().step;
    for (const ReportedPair& pair : pairs_)
      for (const ReportedFinding& finding : pair.findings)
        if (!finding.steps.empty()) last = std::max(last, finding.steps.back());
    return last;
  }

  const ReportDocument& report_;
  const ReportPictures& pictures_;
  /// For a replay: the worst step of each finding, which its picture shows.
  std::unordered_map<std::string, std::size_t> worstSteps_;
  std::vector<ReportedPair> pairs_;
  std::vector<std::string> paths_;
  std::map<std::string, std::size_t> pathAt_;
};

}  // namespace

void writeReportHtml(std::ostream& out, const ReportDocument& report, const ReportPictures& pictures) {
  Page page(report, pictures);
  Json data = page.data();
  escapeTexts(data);
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
         "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>Fitup report</title>\n<style>\n"
      << reportPageCss << "</style>\n</head>\n<body>\n"
      << reportPageHtml;
  page.writeWithoutScript(out);
  out << "<script type=\"application/json\" id=\"data\">" << embedded(data) << "</script>\n"
      << "<script type=\"application/json\" id=\"pictures\">{";
  bool first = true;
  const auto write = [&](const std::string& id, const std::string& jpeg) {
    out << (first ? "" : ",") << "\n" << embedded(escapedLines(id)) << ":\"" << base64(jpeg) << "\"";
    first = false;
  };
  if (!pictures.overview.empty()) write("", pictures.overview);
  const std::map<std::string, std::string> sorted(pictures.ofFinding.begin(), pictures.ofFinding.end());
  for (const auto& [id, jpeg] : sorted) write(id, jpeg);
  out << "}</script>\n<script>\n" << reportPageScript << "</script>\n</body>\n</html>\n";
}

}  // namespace fitup::detail
