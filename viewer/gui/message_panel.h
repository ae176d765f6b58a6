#pragma once

#include <QFrame>
#include <QLabel>

namespace fitup::viewer {

/// Some lines above the view that say what went wrong, until they are put away.
class MessagePanel : public QFrame {
  Q_OBJECT

 public:
  explicit MessagePanel(QWidget* parent = nullptr);
  void tell(const QString& text);
  /// All that was shown last, also what there is no room for. Empty if nothing is shown.
  [[nodiscard]] QString text() const;

 private:
  QLabel* text_;
  QString told_;
};

}  // namespace fitup::viewer
