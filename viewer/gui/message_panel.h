#pragma once

#include <QFrame>
#include <QLabel>

namespace fitup::viewer {

/// Shows some lines of errors above the view until they are dismissed.
class MessagePanel : public QFrame {
  Q_OBJECT

 public:
  explicit MessagePanel(QWidget* parent = nullptr);
  void tell(const QString& text);
  /// The whole last text, including what does not fit. Empty if nothing is shown.
  [[nodiscard]] QString text() const;

 private:
  QLabel* text_;
  QString told_;
};

}  // namespace fitup::viewer
