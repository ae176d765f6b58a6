#include "wording.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <fitup/base/bounded_text.h>
#include <fitup/scene/interference.h>

#include "console.h"

namespace fitup::cli {
namespace {

/// Digits of numbers whose bound is printed beside them: as many as that leaves.
constexpr int allDigits = 15;

}  // namespace

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

std::string lengthText(double length, double chordError, double rounding, const std::string& unit,
                       int digits) {
  if (!(chordError > 0)) return boundedNumber(length, rounding, digits) + " " + unit;
  const BoundedText text = boundedText(length, chordError + rounding, allDigits);
  return fmt::format("{} {} (+/- {})", text.number, unit, text.bound);
}

std::string lengthText(double length, const DistanceError& error, const std::string& unit, int digits) {
  return lengthText(length, error.chordError.value_or(0), error.rounding, unit, digits);
}

std::string depthText(const Assessment& found, const std::string& unit) {
  const bool isClash = found.verdict == Verdict::clash;
  if (!isClash && *found.depth == 0) return "touching";
  const bool isExact = found.chordError > 0;
  const BoundedText text = boundedText(*found.depth, found.chordError + found.rounding,
                                       isExact ? allDigits : 4, found.depthErrorBound);
  const std::string length =
      fmt::format("{}{} {}", found.depthIsLowerBound ? "at least " : "", text.number, unit);
  return (isClash ? length + " deep" : "overlap of " + length) + (isExact ? " (+/- " + text.bound + ")"
                                                                  : found.depthErrorBound > 0
                                                                      ? " (+" + text.bound + ")"
                                                                      : "");
}

std::string volumeText(const OverlapVolume& found, const std::string& unit) {
  if (!found.volume) return "unknown, because " + found.unknownBecause;
  const BoundedText text = boundedText(*found.volume, found.errorBound, 4);
  if (text.number == "0") return "at most " + text.bound + " " + unit + "^3";
  // A bound below the last digit would be one of rounding.
  const bool isSharp = found.errorBound < 1e-4 * *found.volume;
  return text.number + " " + unit + "^3" + (isSharp ? "" : " (+/- " + text.bound + ")");
}

std::string wayOutText(const WayOut& found, double atLeast, const std::string& unit) {
  if (!found.translation) return "no way out found before a limit ended the search";
  const Vec3 direction = found.length() > 0 ? normalized(*found.translation) : Vec3{};
  constexpr double least = 5e-5;
  const auto number = [](double value) { return boundedNumber(value, least, 4); };
  return fmt::format(
      "free with the first part moved {:.4g} {} along ({}, {}, {}); at least {:.4g} {} are needed",
      found.length(), unit, number(direction.x), number(direction.y), number(direction.z), atLeast, unit);
}

void sayOpenParts(std::size_t parts) {
  if (parts > 0) say("{}: 'fitup info' lists what is open\n", openPartsText(parts));
}

double distanceOf(const PairInterference& pair) { return pair.assessment().distance.value_or(0); }

std::string clearanceText(const PairInterference& pair, const Rule& rule, const std::string& unit) {
  const Assessment found = pair.assessment();
  // The distance of a clash is not a measured one.
  const bool isMeasured = found.distance.has_value() && found.chordError > 0;
  const BoundedText text =
      boundedText(found.distance.value_or(0), found.chordError + found.rounding, isMeasured ? allDigits : 4);
  return fmt::format("{}{} of {:.4g} {}", text.number, isMeasured ? " (+/- " + text.bound + ")" : "",
                     rule.distance, unit);
}

std::string pointText(const Vec3& point, double rounding) {
  const double largest = std::max({std::abs(point.x), std::abs(point.y), std::abs(point.z)});
  const auto number = [&](double value) {
    return boundedNumber(value, std::max(rounding, 0x1p-48 * largest), 10);
  };
  return fmt::format("({}, {}, {})", number(point.x), number(point.y), number(point.z));
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
