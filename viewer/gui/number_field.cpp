#include <viewer/gui/number_field.h>

#include <algorithm>

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QVBoxLayout>

namespace fitup::viewer {
namespace {

QLocale localeOfNumbers() {
  QLocale locale = QLocale::c();
  locale.setNumberOptions(QLocale::OmitGroupSeparator | QLocale::RejectGroupSeparator);
  return locale;
}

/// The number without what the field shows before and after it.
QString withoutUnit(const QString& text, const QString& prefix, const QString& suffix) {
  QString number = text;
  if (!prefix.isEmpty() && number.startsWith(prefix)) number.remove(0, prefix.size());
  if (!suffix.isEmpty() && number.endsWith(suffix)) number.chop(suffix.size());
  return number;
}

}  // namespace

NumberField::NumberField(QWidget* parent) : QDoubleSpinBox(parent) {
  setLocale(localeOfNumbers());
  connect(lineEdit(), &QLineEdit::returnPressed, this, &NumberField::returnPressed);
}

QValidator::State NumberField::validate(QString& text, int& position) const {
  QString number = withoutUnit(text, prefix(), suffix());
  // Otherwise Qt ignores a second sign as a group separator: "1,000.5", "1.000,5".
  if (number.count(QLatin1Char(',')) + number.count(QLatin1Char('.')) > 1) return QValidator::Invalid;
  if (const qsizetype comma = number.indexOf(QLatin1Char(',')); comma >= 0)
    text[comma + (text.startsWith(prefix()) ? prefix().size() : 0)] = QLatin1Char('.');
  return QDoubleSpinBox::validate(text, position);
}

double NumberField::valueFromText(const QString& text) const {
  return QDoubleSpinBox::valueFromText(
      withoutUnit(text, prefix(), suffix()).replace(QLatin1Char(','), QLatin1Char('.')));
}

CountField::CountField(QWidget* parent) : QSpinBox(parent) { setLocale(localeOfNumbers()); }

QValidator::State CountField::validate(QString& text, int& position) const {
  // Qt takes a comma for a group separator here: "1,5" would become 15.
  const QString number = withoutUnit(text, prefix(), suffix());
  const bool isFraction = number.contains(QLatin1Char(',')) || number.contains(QLatin1Char('.'));
  return isFraction && text != specialValueText() ? QValidator::Invalid : QSpinBox::validate(text, position);
}

std::optional<double> askNumber(QWidget* parent, const NumberQuestion& question) {
  QDialog dialog(parent);
  dialog.setWindowTitle(question.title);
  auto* label = new QLabel(question.label);
  label->setTextFormat(Qt::PlainText);
  auto* field = new NumberField;
  field->setAccessibleName(question.title);
  field->setDecimals(question.decimals);
  field->setRange(question.least, question.most);
  field->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  field->setValue(question.value);
  const double rounded = field->value();
  field->selectAll();
  label->setBuddy(field);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  auto* all = new QVBoxLayout(&dialog);
  all->addWidget(label);
  all->addWidget(field);
  all->addWidget(buttons);
  if (dialog.exec() != QDialog::Accepted) return std::nullopt;
  field->interpretText();
  // What the user leaves as it is keeps the digits that the field does not show.
  return field->value() == rounded ? question.value : field->value();
}

}  // namespace fitup::viewer
