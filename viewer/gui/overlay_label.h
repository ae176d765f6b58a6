#pragma once

#include <QLabel>

namespace fitup::viewer {

/// Makes a hidden label for texts over the view, in the colours of the application. It takes no mouse events.
/// The view owns it.
QLabel* makeOverlayLabel(QWidget& view);

}  // namespace fitup::viewer
