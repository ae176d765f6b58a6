#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace fitup::viewer {

/// The mouse bindings of the camera: those of this program, or similar to those of others.
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

/// The effect of a drag in the view on the camera. `zoom`: dragging upwards moves nearer.
enum class CameraDrag { none, orbit, pan, zoom };
/// Left drags are those that grab nothing.
CameraDrag cameraDrag(NavigationPreset preset, MouseButton button, HeldKeys keys) noexcept;
/// Whether turning the wheel away from the user moves nearer.
bool wheelGoesNearer(NavigationPreset preset) noexcept;

}  // namespace fitup::viewer
