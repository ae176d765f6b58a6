#pragma once

#include <QMenu>

#include <viewer/gui/document.h>

namespace fitup::viewer {

class TimeLine;

/// Motions from the menu and the keyboard.
class MotionActions : public QObject {
  Q_OBJECT

 public:
  MotionActions(Document& document, TimeLine& timeLine, QObject* parent);
  void addTo(QMenu& menu);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void saveMap();

  Document& document_;
  TimeLine& timeLine_;
};

}  // namespace fitup::viewer
