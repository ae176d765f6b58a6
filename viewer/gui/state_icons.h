#pragma once

#include <span>

#include <QPalette>
#include <QPixmap>

namespace fitup::viewer {

/// States of parts that have a sign of their own.
enum class StateSign { needsAction, isOpen, ghosted };

/// Draws signs side by side, `height` widget pixels high, for a screen with this number of device pixels per
/// widget pixel. Null for no signs.
QPixmap stateSigns(std::span<const StateSign> signs, int height, const QPalette& palette, double ratio);

}  // namespace fitup::viewer
