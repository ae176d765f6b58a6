#pragma once

#include <QFrame>
#include <QLabel>

namespace fitup::viewer {

/// A line above the view that says what went wrong, until it is put away.
class MessagePanel : public QFrame {
  Q_OBJECT

 public:
  explicit MessagePanel(QWidget* parent = nullptr);
  void tell(const QString& text);
  /// Empty if nothing is shown.
  [[nodiscard]] QString text() const;

 private:
  QLabel* text_;
};

}  // namespace fitup::viewer
