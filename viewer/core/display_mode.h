#pragma once

#include <optional>
#include <string_view>

namespace fitup::viewer {

/// How parts are drawn.
enum class DisplayMode { shadedWithEdges, shaded, hiddenLine, wireframe, transparent };

/// Returns "shaded-edges", "shaded", "hidden-line", "wireframe" or "transparent".
std::string_view name(DisplayMode mode) noexcept;
std::optional<DisplayMode> displayModeFromName(std::string_view name) noexcept;

}  // namespace fitup::viewer
