#include <viewer/gui/file_dialogs.h>

#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

namespace fitup::viewer {

namespace {

const char* const lastFolderKey = "files/folder";

/// Empty if nothing was chosen yet.
QString lastFolder() {
  const QString folder = QSettings().value(lastFolderKey).toString();
  return QFileInfo(folder).isDir() ? folder : QString();
}

void rememberFolderOf(const QString& file) {
  if (!file.isEmpty()) QSettings().setValue(lastFolderKey, QFileInfo(file).absolutePath());
}

}  // namespace

QString fileFilter(const QString& label, std::string_view extensions) {
  const QString list = QString::fromUtf8(extensions.data(), static_cast<qsizetype>(extensions.size()));
  return label + " (*" + QString(list).replace(' ', " *") + ')';
}

QString askWhatToOpen(QWidget* parent, const QString& title, const QString& filter, const QString& folder) {
  const QString file =
      QFileDialog::getOpenFileName(parent, title, folder.isEmpty() ? lastFolder() : folder, filter);
  rememberFolderOf(file);
  return file;
}

QStringList askWhatFilesToOpen(QWidget* parent, const QString& title, const QString& filter) {
  const QStringList files = QFileDialog::getOpenFileNames(parent, title, lastFolder(), filter);
  if (!files.isEmpty()) rememberFolderOf(files.front());
  return files;
}

QString askWhereToSave(QWidget* parent, const QString& title, const QString& proposed, const QString& filter,
                       const QString& ending, Replacing replacing) {
  const QFileInfo file(proposed);
  QFileDialog dialog(parent, title, file.isAbsolute() ? file.absolutePath() : lastFolder(), filter);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(ending);
  dialog.setOption(QFileDialog::DontConfirmOverwrite, replacing == Replacing::asksCaller);
  dialog.selectFile(file.fileName());
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return {};
  rememberFolderOf(dialog.selectedFiles().front());
  return dialog.selectedFiles().front();
}

}  // namespace fitup::viewer
