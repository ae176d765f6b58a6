#pragma once

#include <QWidget>

#include <fitup/motion/contact_map.h>
#include <viewer/gui/length_unit.h>

namespace fitup::viewer {

/// Explains the colours of a contact map. It lies over the view and ignores the mouse.
class ContactLegend : public QWidget {
  Q_OBJECT

 public:
  explicit ContactLegend(QWidget* parent);
  /// Null hides it. Steps are numbered from 1, as in the time line.
  void show(const ContactMap* map, const LengthUnit& unit);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString early_, late_, near_, counts_;
};

}  // namespace fitup::viewer
