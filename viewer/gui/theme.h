#pragma once

#include <array>
#include <optional>
#include <string_view>

#include <QColor>
#include <QPalette>

namespace fitup::viewer {

/// The colours of the whole application. `system`: those with which it started.
enum class Theme { system, light, dark };
inline constexpr std::array allThemes{Theme::system, Theme::light, Theme::dark};
/// "system", "light", "dark", and back.
std::string_view name(Theme theme) noexcept;
std::optional<Theme> themeFromName(std::string_view text) noexcept;

/// The theme that `setTheme` set last; `system` at first. Needs the QApplication.
Theme theme();
/// Whether texts are lighter than what is behind them.
bool isDark(const QPalette& palette);
/// Returns a red for text that warns, which can be read on the palette's background.
QColor warningColour(const QPalette& palette);
/// Returns red colours of window and text, for a panel that shows an error in a window with this palette. All
/// others are those of the application.
QPalette errorPalette(const QPalette& palette);

/// Improves Qt's own style, if the application starts with it: frames of check boxes and of what has the focus
/// can be seen on dark windows too. Called once, before the first window; `setTheme` does it too.
void prepareTheme();
/// Switches all windows. Light and dark use Qt's own style, because those of a desktop may ignore colours.
void setTheme(Theme theme);

}  // namespace fitup::viewer
