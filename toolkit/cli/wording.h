#pragma once

#include <span>
#include <string>
#include <string_view>

#include <fitup/base/count_text.h>
#include <fitup/geometry/vec3.h>
#include <fitup/query/distance_error.h>
#include <fitup/query/overlap_volume.h>
#include <fitup/query/report.h>
#include <fitup/query/way_out.h>
#include <fitup/scene/assessment.h>
#include <fitup/scene/interference_report.h>
#include <fitup/scene/rules.h>

namespace fitup::cli {

/// "1 pair of faces", "2 pairs of faces".
std::string countedPairs(std::size_t count, std::string_view ofWhat);

/// The meaning of a status for users; geometry may be missing from the model, and verdicts undecided.
std::string statusText(ReportStatus status, bool isGeometryMissing = false, bool isDecided = true);

/// "2.5 mm deep (+0.01)" for a clash, "overlap of 0.05 mm (+0.003)" or "touching" for a contact, where the
/// number in brackets is the possible excess of the depth over the reported one. `depth` must be set.
std::string depthText(const Assessment& found, const std::string& unit);
/// "0.313 mm (+/- 0.031)" for a length of exact shapes that is known to within a chord error. Without one, as
/// for meshes, "0.313 mm" with up to `digits` digits; the rounding then takes the digits that mean nothing.
std::string lengthText(double length, double chordError, double rounding, const std::string& unit,
                       int digits = 6);
/// The same for the distance of a pair; 0 if the error covers it.
std::string lengthText(double length, const DistanceError& error, const std::string& unit, int digits = 6);

/// "28.3 mm^3 (+/- 0.02)", without a bound that is below the last digit, or "at most 1e-09 mm^3"; "unknown,
/// because ..." for parts that are not closed.
std::string volumeText(const OverlapVolume& found, const std::string& unit);
/// "free with the first part moved 13.01 mm along (0, 0, 1); at least 0.05 mm are needed", where `atLeast` is
/// the depth.
std::string wayOutText(const WayOut& found, double atLeast, const std::string& unit);

/// Prints which verdicts are unreliable because this number of parts of the queried pairs is not closed.
void sayOpenParts(std::size_t parts);

/// Distance of a pair that violates the clearance of its rule; 0 if the parts clash.
double distanceOf(const PairInterference& pair);
/// "0.25 of 0.5 mm": that distance and the clearance that the rule of the pair demands; with a chord error
/// "0.25 (+/- 0.03) of 0.5 mm".
std::string clearanceText(const PairInterference& pair, const Rule& rule, const std::string& unit);

/// "(1.25, -3, 0)", for a point in the world: ten digits, so that the coordinates of a plant still show
/// thousandths, down to the rounding of the point, which is at least that of double precision.
std::string pointText(const Vec3& point, double rounding = 0);

/// Ascending step numbers as "0-4, 7, 9-12"; after `mostRanges` ranges "...".
std::string rangesText(std::span<const std::size_t> steps, std::size_t mostRanges);

}  // namespace fitup::cli
