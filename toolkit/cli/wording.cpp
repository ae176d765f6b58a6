#include "wording.h"

#include <cmath>

#include <fmt/format.h>

#include <fitup/base/rounding.h>
#include <fitup/scene/interference.h>

#include "console.h"

namespace fitup::cli {

std::string countedPairs(std::size_t count, std::string_view ofWhat) {
  return fmt::format("{} of {}", countText(count, "pair"), ofWhat);
}

std::string statusText(ReportStatus status, bool isGeometryMissing, bool isDecided) {
  switch (status) {
    case ReportStatus::complete:
      if (isGeometryMissing) return "incomplete: geometry is missing from the model";
      return isDecided ? "complete" : "incomplete: verdicts are undecided";
    case ReportStatus::truncated:
      return "truncated: a limit was reached, there may be more";
    case ReportStatus::cancelled:
      return "cancelled: there may be more";
  }
  return {};
}

std::string plusMinusText(double error) { return fmt::format("+/- {:.2g}", roundedUp(error)); }

std::string depthText(const Assessment& found, const std::string& unit) {
  const bool isClash = found.verdict == Verdict::clash;
  if (!isClash && *found.depth == 0) return "touching";
  const std::string length =
      fmt::format("{}{:.4g} {}", found.depthIsLowerBound ? "at least " : "", *found.depth, unit);
  return (isClash ? length + " deep" : "overlap of " + length) +
         (found.chordError > 0
              ? " (" + plusMinusText(found.depthErrorBound + found.chordError) + ")"
              : (found.depthErrorBound > 0 ? fmt::format(" (+{:.2g})", found.depthErrorBound) : ""));
}

std::string volumeText(const OverlapVolume& found, const std::string& unit) {
  if (!found.volume) return "unknown, because " + found.unknownBecause;
  if (*found.volume <= found.errorBound)
    return fmt::format("at most {:.2g} {}^3", *found.volume + found.errorBound, unit);
  // A bound below the last digit would be one of rounding.
  const bool isSharp = found.errorBound < 1e-4 * *found.volume;
  return fmt::format("{:.4g} {}^3{}", *found.volume, unit,
                     isSharp ? "" : fmt::format(" (+/- {:.2g})", found.errorBound));
}

std::string wayOutText(const WayOut& found, double atLeast, const std::string& unit) {
  if (!found.translation) return "no way out found before a limit ended the search";
  Vec3 direction = found.length() > 0 ? normalized(*found.translation) : Vec3{};
  for (int k = 0; k < 3; ++k)
    if (std::abs(direction[k]) < 5e-5) direction[k] = 0;
  return fmt::format(
      "free with the first part moved {:.4g} {} along ({:.4g}, {:.4g}, {:.4g}); at least {:.4g} {} are "
      "needed",
      found.length(), unit, direction.x, direction.y, direction.z, atLeast, unit);
}

void sayOpenParts(std::size_t parts) {
  if (parts > 0) say("{}: 'fitup info' lists what is open\n", openPartsText(parts));
}

double distanceOf(const PairInterference& pair) { return pair.assessment().distance.value_or(0); }

std::string pointText(const Vec3& point) {
  return fmt::format("({:.10g}, {:.10g}, {:.10g})", point.x, point.y, point.z);
}

std::string rangesText(std::span<const std::size_t> steps, std::size_t mostRanges) {
  std::string text;
  std::size_t ranges = 0;
  for (std::size_t i = 0; i < steps.size(); ++ranges) {
    if (ranges == mostRanges) return text + ", ...";
    std::size_t last = i;
    while (last + 1 < steps.size() && steps[last + 1] == steps[last] + 1) ++last;
    text += ranges > 0 ? ", " : "";
    text += last > i ? fmt::format("{}-{}", steps[i], steps[last]) : std::to_string(steps[i]);
    i = last + 1;
  }
  return text;
}

}  // namespace fitup::cli
