#pragma once

#include <span>
#include <string>
#include <string_view>

#include <fitup/base/count_text.h>
#include <fitup/geometry/vec3.h>
#include <fitup/query/report.h>
#include <fitup/scene/interference_report.h>

namespace fitup::cli {

/// "1 pair of surfaces", "2 pairs of surfaces".
std::string countedPairs(std::size_t count, std::string_view ofWhat);

/// What a status means for the reader of an answer, where geometry may be missing from the model.
std::string statusText(ReportStatus status, bool isGeometryMissing = false);

/// How much deeper than reported a depth may be: " (+14)", or nothing where it is exact.
std::string errorBoundText(double errorBound);

/// Says which verdicts cannot be relied on, where so many parts of the pairs that were asked are not closed.
void sayOpenParts(std::size_t parts);

/// Of a pair that a rule wants farther apart; 0 where the parts clash.
double distanceOf(const PairInterference& pair);

/// "(1.25, -3, 0)", for a point in the world: ten digits, so that a plant's coordinates still tell parts of a
/// thousandth.
std::string pointText(const Vec3& point);

/// Ascending step numbers as "0-4, 7, 9-12"; after `mostRanges` ranges "...".
std::string rangesText(std::span<const std::size_t> steps, std::size_t mostRanges);

}  // namespace fitup::cli
