#pragma once

#include <string_view>

#include <QString>

namespace fitup::viewer {

/// As QObject::tr, for functions of no class.
QString tr(const char* text);

/// A text from elsewhere (a name, a path, a unit, an error) as the window shows it: `fitup::escaped`. What
/// shows it must take it as plain text: labels with Qt::PlainText, tooltips by `tipOf`, menus by `menuText`.
QString shown(std::string_view text);

/// A text as that of a tooltip, where Qt takes what looks like HTML for HTML.
QString tipOf(const QString& text);

/// A text as that of an entry of a menu, where & marks a key.
QString menuText(QString text);

}  // namespace fitup::viewer
