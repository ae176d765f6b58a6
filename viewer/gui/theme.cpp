#include <viewer/gui/theme.h>

#include <QApplication>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>
#include <QVariant>

#include <viewer/core/named.h>

namespace fitup::viewer {
namespace {

// Kept at the application, so that they end with it.
const char *const themeProperty = "fitup theme", *const styleProperty = "fitup style at the start";

/// Qt's own style with what it lacks on dark windows.
class OwnStyle : public QProxyStyle {
 public:
  OwnStyle() : QProxyStyle(QStringLiteral("fusion")) { setObjectName(QStringLiteral("fusion")); }

  /// The boxes of check marks have hardly a border.
  /// The frame around what has the focus is hardly to be seen.
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
    if (element == PE_FrameFocusRect) return drawFocus(*option, *painter);
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_PanelButtonCommand || element == PE_FrameLineEdit) drawFocusOf(*option, *painter);
    if (element != PE_IndicatorCheckBox) return;
    QColor border = option->palette.color(QPalette::Text);
    border.setAlphaF(0.45F);
    painter->save();
    painter->setPen(border);
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
    painter->restore();
  }

  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_ComboBox || control == CC_SpinBox) drawFocusOf(*option, *painter);
  }

  /// The icons of buttons are black.
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override {
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
    return QProxyStyle::styleHint(hint, option, widget, data);
  }

 private:
  static void drawFocusOf(const QStyleOption& option, QPainter& painter) {
    if (option.state.testFlag(State_HasFocus)) drawFocus(option, painter);
  }
  static void drawFocus(const QStyleOption& option, QPainter& painter) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(option.palette.color(QPalette::Link), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 2, 2);
    painter.restore();
  }
};

/// Desktops have styles of their own; Qt's own one is replaced.
void setStyle(const QString& name) {
  if (name.compare(QLatin1String("fusion"), Qt::CaseInsensitive) == 0)
    QApplication::setStyle(new OwnStyle);
  else
    QApplication::setStyle(name);
}

QPalette paletteOf(bool isDark) {
  const QColor window = isDark ? QColor(45, 47, 51) : QColor(239, 239, 239),
               base = isDark ? QColor(30, 32, 35) : QColor(255, 255, 255),
               text = isDark ? QColor(229, 231, 235) : QColor(0, 0, 0),
               pale = isDark ? QColor(128, 132, 138) : QColor(165, 165, 165),
               accent = isDark ? QColor(38, 110, 178) : QColor(28, 113, 176);
  QPalette palette(isDark ? QColor(58, 61, 66) : QColor(239, 239, 239), window);
  palette.setColor(QPalette::WindowText, text);
  palette.setColor(QPalette::Base, base);
  palette.setColor(QPalette::AlternateBase, isDark ? QColor(37, 39, 43) : QColor(246, 247, 248));
  palette.setColor(QPalette::Text, text);
  palette.setColor(QPalette::ButtonText, text);
  palette.setColor(QPalette::BrightText, Qt::white);
  palette.setColor(QPalette::PlaceholderText, isDark ? QColor(150, 154, 160) : QColor(110, 110, 110));
  palette.setColor(QPalette::Highlight, accent);
  palette.setColor(QPalette::HighlightedText, Qt::white);
  palette.setColor(QPalette::Link, isDark ? QColor(110, 175, 240) : QColor(0, 87, 174));
  palette.setColor(QPalette::LinkVisited, isDark ? QColor(180, 150, 230) : QColor(100, 60, 140));
  palette.setColor(QPalette::ToolTipBase, isDark ? QColor(58, 61, 66) : QColor(255, 255, 230));
  palette.setColor(QPalette::ToolTipText, text);
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, pale);
  palette.setColor(QPalette::Disabled, QPalette::Highlight,
                   isDark ? QColor(70, 74, 80) : QColor(200, 200, 200));
  palette.setColor(QPalette::Disabled, QPalette::HighlightedText, pale);
  return palette;
}

}  // namespace

bool isDark(const QPalette& palette) { return palette.color(QPalette::Window).lightness() < 128; }

std::string_view name(Theme theme) noexcept {
  switch (theme) {
    case Theme::system:
      return "system";
    case Theme::light:
      return "light";
    case Theme::dark:
      return "dark";
  }
  return {};
}

std::optional<Theme> themeFromName(std::string_view text) noexcept { return named(allThemes, text); }

QColor warningColour(const QPalette& palette) {
  return isDark(palette) ? QColor(255, 122, 112) : QColor(179, 22, 14);
}

QPalette errorPalette(const QPalette& palette) {
  const bool dark = isDark(palette);
  QPalette red;
  red.setColor(QPalette::Window, dark ? QColor(84, 33, 30) : QColor(251, 227, 224));
  red.setColor(QPalette::WindowText, dark ? QColor(255, 222, 218) : QColor(107, 26, 18));
  return red;
}

Theme theme() { return static_cast<Theme>(qApp->property(themeProperty).toInt()); }

void prepareTheme() {
  if (qApp->property(styleProperty).isValid()) return;
  qApp->setProperty(styleProperty, QApplication::style()->objectName());
  setStyle(QApplication::style()->objectName());
}

void setTheme(Theme wanted) {
  if (wanted == theme()) return;
  prepareTheme();
  qApp->setProperty(themeProperty, static_cast<int>(wanted));
  if (wanted == Theme::system) {
    setStyle(qApp->property(styleProperty).toString());
    QApplication::setPalette(QPalette());
  } else {
    QApplication::setStyle(new OwnStyle);
    QApplication::setPalette(paletteOf(wanted == Theme::dark));
  }
}

}  // namespace fitup::viewer
