#include <viewer/core/navigation.h>

#include <viewer/core/named.h>

namespace fitup::viewer {

std::string_view name(NavigationPreset preset) noexcept {
  switch (preset) {
    case NavigationPreset::cad:
      return "cad";
    case NavigationPreset::solidworks:
      return "solidworks";
    case NavigationPreset::blender:
      return "blender";
  }
  return {};
}

std::optional<NavigationPreset> navigationPresetFromName(std::string_view text) noexcept {
  return named(allNavigationPresets, text);
}

CameraDrag cameraDrag(NavigationPreset preset, MouseButton button, HeldKeys keys) noexcept {
  if (preset == NavigationPreset::cad) {
    if (button == MouseButton::left) return CameraDrag::orbit;
    return button == MouseButton::right || keys.shift ? CameraDrag::pan : CameraDrag::orbit;
  }
  if (button != MouseButton::middle) return CameraDrag::none;
  const bool blender = preset == NavigationPreset::blender;
  if (keys.control) return blender ? CameraDrag::zoom : CameraDrag::pan;
  if (keys.shift) return blender ? CameraDrag::pan : CameraDrag::zoom;
  return CameraDrag::orbit;
}

bool wheelGoesNearer(NavigationPreset preset) noexcept { return preset != NavigationPreset::solidworks; }

}  // namespace fitup::viewer
