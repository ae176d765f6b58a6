#pragma once

#include <QWidget>

#include <fitup/motion/contact_map.h>

namespace fitup::viewer {

/// What the colours of a contact map mean. Lies over the view, lets the mouse through.
class ContactLegend : public QWidget {
  Q_OBJECT

 public:
  explicit ContactLegend(QWidget* parent);
  /// Null: hides it. Steps are numbered as the time line counts them, from 1.
  void show(const ContactMap* map, const QString& unit);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString early_, late_, near_, counts_;
};

}  // namespace fitup::viewer
