#include <catch2/catch.hpp>

#include <viewer/core/navigation.h>

namespace navigation_tests {

using namespace fitup::viewer;

TEST_CASE("mouse bindings of the navigation presets", "[viewer]") {
  using enum NavigationPreset;
  using enum MouseButton;
  const HeldKeys none, shift{.shift = true}, control{.control = true};
  CHECK(cameraDrag(cad, left, none) == CameraDrag::orbit);
  CHECK(cameraDrag(cad, left, shift) == CameraDrag::orbit);
  CHECK(cameraDrag(cad, middle, none) == CameraDrag::orbit);
  CHECK(cameraDrag(cad, middle, shift) == CameraDrag::pan);
  CHECK(cameraDrag(cad, right, none) == CameraDrag::pan);
  CHECK(cameraDrag(solidworks, middle, none) == CameraDrag::orbit);
  CHECK(cameraDrag(solidworks, middle, control) == CameraDrag::pan);
  CHECK(cameraDrag(solidworks, middle, shift) == CameraDrag::zoom);
  CHECK(cameraDrag(blender, middle, none) == CameraDrag::orbit);
  CHECK(cameraDrag(blender, middle, shift) == CameraDrag::pan);
  CHECK(cameraDrag(blender, middle, control) == CameraDrag::zoom);
  for (const NavigationPreset preset : {solidworks, blender})
    for (const MouseButton button : {left, right})
      CHECK(cameraDrag(preset, button, none) == CameraDrag::none);
  CHECK(wheelGoesNearer(cad));
  CHECK_FALSE(wheelGoesNearer(solidworks));
  CHECK(wheelGoesNearer(blender));
  for (const NavigationPreset preset : allNavigationPresets)
    CHECK(navigationPresetFromName(name(preset)) == preset);
  CHECK_FALSE(navigationPresetFromName("maya"));
}

}  // namespace navigation_tests
