#pragma once

#include <QLabel>

namespace fitup::viewer {

/// A label that requests the width of its text but accepts less. It then elides the end of the text, and the
/// tooltip has all of it.
class ElidedLabel : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  /// The tooltip shows `more` below the text.
  void tell(const QString& text, const QString& more = {});
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void clicked();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace fitup::viewer
