#include "pmi.h"

#include <algorithm>
#include <array>
#include <string>

#include <fitup/base/error.h>

#include "part21_cursor.h"

namespace fitup::importers {
namespace {

enum class PmiKind { none, annotation, tolerance, dimension };

PmiKind pmiKindOf(std::string_view type) {
  constexpr std::array<std::string_view, 5> dimensions{"DIMENSIONAL_SIZE", "DIMENSIONAL_LOCATION",
                                                       "DIRECTED_DIMENSIONAL_LOCATION", "ANGULAR_SIZE",
                                                       "ANGULAR_LOCATION"};
  if (type.find("ANNOTATION_") != type.npos && type.find("_OCCURRENCE") != type.npos &&
      !type.ends_with("_RELATIONSHIP") && !type.ends_with("_ASSOCIATIVITY"))
    return PmiKind::annotation;
  if (type.ends_with("_TOLERANCE") || type.starts_with("GEOMETRIC_TOLERANCE_WITH_"))
    return PmiKind::tolerance;
  if (std::any_of(dimensions.begin(), dimensions.end(),
                  [&](std::string_view each) { return type.starts_with(each); }))
    return PmiKind::dimension;
  return PmiKind::none;
}

std::string amount(std::size_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace

void warnOfPmi(std::string_view text, const Part21Entities& entities, std::vector<ImportWarning>& warnings) {
  std::array<std::size_t, 4> counts{};
  const auto at = [&](PmiKind kind) -> std::size_t& { return counts[static_cast<std::size_t>(kind)]; };
  for (const std::string& type : entities.types()) at(pmiKindOf(type)) += entities.countOf(type);
  for (const std::uint64_t each : entities.instancesOf("")) try {
      for (const std::string_view type : Part21Record(text, *entities.positionOf(each)).types())
        if (const PmiKind kind = pmiKindOf(type); kind != PmiKind::none) {
          ++at(kind);
          break;
        }
    } catch (const InputError&) {  // there is no type
    }
  const std::size_t annotations = at(PmiKind::annotation), tolerances = at(PmiKind::tolerance),
                    dimensions = at(PmiKind::dimension);
  if (annotations + tolerances + dimensions == 0) return;
  warnings.push_back({"PMI",
                      amount(annotations, "annotation") + ", " + amount(tolerances, "tolerance") + " and " +
                          amount(dimensions, "dimension") +
                          " are not read: results are for the nominal shapes",
                      false});
}

}  // namespace fitup::importers
