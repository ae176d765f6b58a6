#pragma once

#include <vector>

#include <QString>

#include <viewer/core/navigation.h>

namespace fitup::viewer {

/// An input in the view and its effect, as users read them.
struct InputEffect {
  QString input, effect;
};

/// What the mouse does in the view with a navigation preset, and the keys there that are no commands.
std::vector<InputEffect> mouseEffects(NavigationPreset preset);

}  // namespace fitup::viewer
