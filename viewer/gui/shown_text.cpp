#include <viewer/gui/shown_text.h>

#include <QCoreApplication>
#include <QTextDocument>

#include <fitup/base/text.h>

namespace fitup::viewer {

QString tr(const char* text) { return QCoreApplication::translate("fitup::viewer", text); }

QString shown(std::string_view text) { return QString::fromStdString(escaped(text)); }

QString tipOf(const QString& text) {
  if (!Qt::mightBeRichText(text)) return text;
  // Keeps blanks and line ends.
  return QStringLiteral("<qt><span style=\"white-space: pre-wrap\">%1</span></qt>").arg(text.toHtmlEscaped());
}

QString menuText(QString text) { return text.replace(QLatin1Char('&'), QStringLiteral("&&")); }

}  // namespace fitup::viewer
