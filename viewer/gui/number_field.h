#pragma once

#include <optional>

#include <QDoubleSpinBox>
#include <QSpinBox>
#include <QWidget>

namespace fitup::viewer {

// The window reads and shows all numbers by one rule, whatever the locale, so that a number that was copied
// from one place can be typed or pasted in another one: the decimal sign is a dot, and there are no group
// separators. A comma is taken for a dot, since keyboards of many countries have one; "1,5" and "1.5" are
// both one and a half.

/// A field for a number.
class NumberField : public QDoubleSpinBox {
  Q_OBJECT

 public:
  explicit NumberField(QWidget* parent = nullptr);
  [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
  [[nodiscard]] double valueFromText(const QString& text) const override;

 signals:
  void returnPressed();
};

/// A field for a whole number. It takes neither a dot nor a comma.
class CountField : public QSpinBox {
  Q_OBJECT

 public:
  explicit CountField(QWidget* parent = nullptr);
  [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
};

/// What `askNumber` asks for.
struct NumberQuestion {
  QString title, label;  ///< plain text
  double value = 0, least = 0, most = 0;
  int decimals = 0;
};
/// Asks for a number. Returns nothing if the user cancels.
std::optional<double> askNumber(QWidget* parent, const NumberQuestion& question);

}  // namespace fitup::viewer
