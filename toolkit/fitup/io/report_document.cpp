#include <fitup/io/report_document.h>

#include <algorithm>
#include <cmath>

#include <fitup/base/hash.h>

namespace fitup {
namespace {

/// `value` in units of 2^-20 times the power of two at or below `scale`. A last bit that differs between
/// compilers has no effect, unless the value is on the border of two units.
std::int64_t rounded(double value, double scale) {
  if (!(scale > 0) || !std::isfinite(scale)) return 0;
  const double units = std::ldexp(value, 20 - std::ilogb(scale));
  return std::abs(units) < 9e18 ? std::llround(units) : 0;
}

std::uint64_t sideHash(std::string_view path, const ReportedSurface& surface) {
  const SurfaceFingerprint& f = surface.fingerprint;
  const double side = std::sqrt(f.area);
  ContentHash hash;
  hash.addText(path);
  hash.addValue(surface.ordinal);
  hash.addText(name(f.kind));
  hash.addValue(f.area > 0 ? std::ilogb(f.area) : 0);
  hash.addValue(rounded(f.area, f.area));
  for (double c : {f.centroid.x, f.centroid.y, f.centroid.z}) hash.addValue(rounded(c, side));
  return hash.value();
}

std::string idOf(std::uint64_t one, std::uint64_t other) {
  ContentHash hash;
  hash.addValue(std::min(one, other));
  hash.addValue(std::max(one, other));
  return hashText(hash.value());
}

}  // namespace

std::string_view name(ReportKind kind) noexcept {
  switch (kind) {
    case ReportKind::check:
      return "check";
    case ReportKind::replay:
      return "replay";
    case ReportKind::diff:
      return "diff";
  }
  return {};
}

std::optional<ReviewStatus> reviewStatusFromName(std::string_view text) noexcept {
  for (const ReviewStatus status : {ReviewStatus::isNew, ReviewStatus::active, ReviewStatus::reviewed,
                                    ReviewStatus::approved, ReviewStatus::resolved})
    if (text == name(status)) return status;
  return std::nullopt;
}

std::string_view name(ReviewStatus status) noexcept {
  switch (status) {
    case ReviewStatus::isNew:
      return "new";
    case ReviewStatus::active:
      return "active";
    case ReviewStatus::reviewed:
      return "reviewed";
    case ReviewStatus::approved:
      return "approved";
    case ReviewStatus::resolved:
      return "resolved";
  }
  return {};
}

std::string_view name(FindingChange change) noexcept {
  switch (change) {
    case FindingChange::isNew:
      return "new";
    case FindingChange::gone:
      return "gone";
    case FindingChange::unchanged:
      return "unchanged";
    case FindingChange::notRechecked:
      return "notRechecked";
  }
  return {};
}

bool ReportedRun::intersects() const noexcept {
  const auto isThere = [](const ReportedFinding& finding) {
    return finding.a.ordinal != wholePart && finding.change != FindingChange::gone &&
           finding.change != FindingChange::notRechecked;
  };
  return std::any_of(pairs.begin(), pairs.end(), [&](const ReportedPair& pair) {
    return std::any_of(pair.findings.begin(), pair.findings.end(), isThere) ||
           (!pair.copies.empty() &&
            std::none_of(pair.findings.begin(), pair.findings.end(), [](const ReportedFinding& finding) {
              return finding.change == FindingChange::gone || finding.change == FindingChange::notRechecked;
            }));
  });
}

bool ReportDocument::intersects() const noexcept {
  return std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run.intersects(); });
}

bool ReportDocument::isDecided() const noexcept {
  return std::all_of(runs.begin(), runs.end(), [](const ReportedRun& run) {
    return std::none_of(run.pairs.begin(), run.pairs.end(), [](const ReportedPair& pair) {
      return pair.assessment.verdict == Verdict::undecided;
    });
  });
}

FindingCounts countFindings(const std::vector<ReportedPair>& pairs) {
  FindingCounts counts;
  for (const ReportedPair& pair : pairs) {
    std::size_t faces = 0, triangles = 0;
    for (const ReportedFinding& finding : pair.findings) {
      faces += finding.a.ordinal != wholePart;
      triangles += finding.triangles.size();
    }
    counts.add(pair.assessment, faces, triangles, !pair.copies.empty());
  }
  return counts;
}

std::string findingId(std::string_view pathA, const ReportedSurface& a, std::string_view pathB,
                      const ReportedSurface& b) {
  return idOf(sideHash(pathA, a), sideHash(pathB, b));
}

std::string pairId(std::string_view pathA, std::string_view pathB) {
  const auto hashOf = [](std::string_view path) {
    ContentHash hash;
    hash.addText(path);
    return hash.value();
  };
  return idOf(hashOf(pathA), hashOf(pathB));
}

std::string faceText(const ReportedSurface& surface) {
  if (surface.ordinal == wholePart) return "the whole part";
  std::string text = "face " + std::to_string(surface.ordinal);
  if (!surface.description.empty()) text += " (" + surface.description + ")";
  if (!surface.name.empty()) text += " '" + surface.name + "'";
  return text;
}

}  // namespace fitup
