#pragma once

#include <string_view>

#include <QString>

namespace fitup::viewer {

/// Like QObject::tr, for functions outside of classes.
QString tr(const char* text);

/// Converts a text from elsewhere (a name, a path, a unit, an error) for the window, by `fitup::escaped`. The
/// widget must treat it as plain text: labels with Qt::PlainText, tooltips by `tipOf`, menus by `menuText`.
QString shown(std::string_view text);

/// Converts a text for a tooltip, in which Qt interprets text that looks like HTML.
QString tipOf(const QString& text);

/// Converts a text for a menu entry, in which & marks a key.
QString menuText(QString text);

}  // namespace fitup::viewer
