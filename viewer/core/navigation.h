#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace fitup::viewer {

/// Whose mouse bindings the camera has: those of this program, or like those of others.
enum class NavigationPreset { cad, solidworks, blender };
inline constexpr std::array allNavigationPresets{NavigationPreset::cad, NavigationPreset::solidworks,
                                                 NavigationPreset::blender};
/// "cad", "solidworks", "blender", and back.
std::string_view name(NavigationPreset preset) noexcept;
std::optional<NavigationPreset> navigationPresetFromName(std::string_view text) noexcept;

enum class MouseButton { left, middle, right };
struct HeldKeys {
  bool shift = false, control = false;
};

/// What a drag in the view does to the camera. `zoom`: upwards goes nearer.
enum class CameraDrag { none, orbit, pan, zoom };
/// Left drags are those that take hold of nothing.
CameraDrag cameraDrag(NavigationPreset preset, MouseButton button, HeldKeys keys) noexcept;
/// Whether the wheel, turned away from the user, goes nearer.
bool wheelGoesNearer(NavigationPreset preset) noexcept;

}  // namespace fitup::viewer
