#pragma once

#include <QObject>

#include <viewer/gui/shown_sweep.h>
#include <viewer/gui/way_out.h>

namespace fitup::viewer {

class SceneView;

/// Shows in the view what the search for a way out and the swept volume show: ghosts of parts, what is in
/// their way, a translucent surface. Use it in the GUI thread.
class ShownPlans : public QObject {
  Q_OBJECT

 public:
  ShownPlans(Document& document, WayOut& wayOut, ShownSweep& sweep, SceneView& view);

 private:
  void showGhosts();
  void showBlocking();
  void showSwept();

  Document& document_;
  WayOut& wayOut_;
  ShownSweep& sweep_;
  SceneView& view_;
};

}  // namespace fitup::viewer
