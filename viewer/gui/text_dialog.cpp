#include <viewer/gui/text_dialog.h>

#include <QDialog>
#include <QDialogButtonBox>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace fitup::viewer {

void showText(QWidget* parent, const QString& title, const QString& text) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  dialog->setObjectName(QStringLiteral("text"));
  dialog->resize(760, 420);
  auto* lines = new QPlainTextEdit(text);
  lines->setReadOnly(true);
  lines->setLineWrapMode(QPlainTextEdit::NoWrap);
  lines->setAccessibleName(title);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  auto* all = new QVBoxLayout(dialog);
  all->addWidget(lines, 1);
  all->addWidget(buttons);
  dialog->show();
}

}  // namespace fitup::viewer
