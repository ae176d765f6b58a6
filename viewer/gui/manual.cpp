#include <viewer/gui/manual.h>

#include <QDesktopServices>
#include <QMessageBox>
#include <QUrl>

#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

std::vector<std::filesystem::path> manualPlaces(const std::filesystem::path& programFolder) {
  const std::filesystem::path above = programFolder.parent_path();
  return {above / "share" / "doc" / "fitup" / "site" / "index.html", above / "site" / "index.html"};
}

void openManual(QWidget* parent, const std::filesystem::path& programFolder) {
  QString looked;
  std::error_code ignored;
  for (const std::filesystem::path& place : manualPlaces(programFolder)) {
    const QString file = QString::fromStdString(place.string());
    if (std::filesystem::exists(place, ignored) && QDesktopServices::openUrl(QUrl::fromLocalFile(file)))
      return;
    looked += QLatin1Char('\n') + shown(place.string());
  }
  QMessageBox box(QMessageBox::Information, tr("Manual"),
                  tr("The manual is not installed, or no browser shows it. It would be one of these:\n%1\n\n"
                     "The target site of the build makes it. Help > Keys and mouse needs no manual.")
                      .arg(looked),
                  QMessageBox::Close, parent);
  box.setTextFormat(Qt::PlainText);
  box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  box.exec();
}

}  // namespace fitup::viewer
