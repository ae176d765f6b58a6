#pragma once

#include <QWidget>

namespace fitup::viewer {

/// Shows the versions of this program and of its libraries, with their licences, until the user closes it.
void showAbout(QWidget* parent);

}  // namespace fitup::viewer
