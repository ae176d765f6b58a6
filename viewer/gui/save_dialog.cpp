#include <viewer/gui/save_dialog.h>

#include <QFileDialog>
#include <QFileInfo>

namespace fitup::viewer {

QString fileFilter(const QString& label, std::string_view extensions) {
  const QString list = QString::fromUtf8(extensions.data(), static_cast<qsizetype>(extensions.size()));
  return label + " (*" + QString(list).replace(' ', " *") + ')';
}

QString askWhereToSave(QWidget* parent, const QString& title, const QString& proposed, const QString& filter,
                       const QString& ending, Replacing replacing) {
  const QFileInfo file(proposed);
  QFileDialog dialog(parent, title, file.isAbsolute() ? file.absolutePath() : QString(), filter);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(ending);
  dialog.setOption(QFileDialog::DontConfirmOverwrite, replacing == Replacing::asksCaller);
  dialog.selectFile(file.fileName());
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return {};
  return dialog.selectedFiles().front();
}

}  // namespace fitup::viewer
