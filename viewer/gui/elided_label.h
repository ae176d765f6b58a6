#pragma once

#include <QLabel>

namespace fitup::viewer {

/// A label that asks for the room of its text, but makes do with less: the end of the text is left out then,
/// and the tooltip has all of it.
class ElidedLabel : public QLabel {
 public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  /// `more` is shown by the tooltip below the text.
  void tell(const QString& text, const QString& more = {});
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace fitup::viewer
