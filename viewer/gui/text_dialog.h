#pragma once

#include <QString>
#include <QWidget>

namespace fitup::viewer {

/// Opens a window with a text of any length, which can be searched by eye, selected and copied. It does not
/// block the other windows.
void showText(QWidget* parent, const QString& title, const QString& text);

}  // namespace fitup::viewer
