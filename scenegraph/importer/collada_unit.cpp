#include "collada_unit.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <fitup/io/file_bytes.h>

#include "importer_main.h"

namespace fitup::importers {
namespace {

/// Returns the text from the first `begin` to the next `end`; empty if there is none.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t at = text.find(begin);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + begin.size());
  return text.substr(0, text.find(end));
}

/// Returns the value of the element's attribute `meter`, in either kind of quotes.
std::string_view metersOf(std::string_view unit) {
  for (const std::string_view quote : {"\"", "'"})
    if (const std::string_view value = between(unit, "meter=" + std::string(quote), quote); !value.empty())
      return value;
  return {};
}

/// Returns null for an unknown size.
const char* unitOfSize(double meters) {
  constexpr std::array<std::pair<double, const char*>, 5> units{
      {{0.001, "mm"}, {0.01, "cm"}, {1, "m"}, {0.0254, "in"}, {0.3048, "ft"}}};
  for (const auto& [size, name] : units)
    if (std::abs(meters - size) <= 1e-6 * size) return name;
  return nullptr;
}

}  // namespace

std::string colladaUnit(const std::filesystem::path& file, double readMeters) {
  const auto contents = FileBytes::map(file);
  std::string_view text = metersOf(between(between(contents->text(), "<asset", "</asset>"), "<unit", ">"));
  double meters = 1;
  if (!text.empty()) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), meters);
    if (error != std::errc{} || stop != text.data() + text.size()) meters = 0;
  }
  const char* const read = unitOfSize(readMeters);
  if (unitOfSize(meters) != nullptr && read != nullptr) return read;
  const std::string wrong = unitOfSize(meters) == nullptr ? validUtf8(text) : numberText(readMeters);
  throw InputError("asset", "unit", "of " + wrong + " m is not one of mm, cm, m, in, ft");
}

}  // namespace fitup::importers
