#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>

namespace fitup::viewer {

/// Shows some lines of errors above the view until they are dismissed. If there are more, a button shows all.
class MessagePanel : public QFrame {
  Q_OBJECT

 public:
  explicit MessagePanel(QWidget* parent = nullptr);
  void tell(const QString& text);
  /// The whole last text, including what does not fit. Empty if nothing is shown.
  [[nodiscard]] QString text() const;
  /// Shows the whole text; visible only if the panel leaves some of it out.
  [[nodiscard]] QPushButton& allButton() noexcept { return *all_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QLabel* text_;
  QPushButton* all_;
  QString told_;
};

}  // namespace fitup::viewer
