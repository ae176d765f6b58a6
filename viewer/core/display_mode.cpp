#include <viewer/core/display_mode.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fitup::viewer {
namespace {

constexpr std::array<std::pair<DisplayMode, std::string_view>, 5> names{
    {{DisplayMode::shadedWithEdges, "shaded-edges"},
     {DisplayMode::shaded, "shaded"},
     {DisplayMode::hiddenLine, "hidden-line"},
     {DisplayMode::wireframe, "wireframe"},
     {DisplayMode::transparent, "transparent"}}};

}  // namespace

std::string_view name(DisplayMode mode) noexcept {
  return std::ranges::find(names, mode, &std::pair<DisplayMode, std::string_view>::first)->second;
}

std::optional<DisplayMode> displayModeFromName(std::string_view name) noexcept {
  const auto found = std::ranges::find(names, name, &std::pair<DisplayMode, std::string_view>::second);
  return found == names.end() ? std::nullopt : std::optional(found->first);
}

}  // namespace fitup::viewer
