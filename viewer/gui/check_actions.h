#pragma once

#include <QActionGroup>
#include <QMenu>
#include <QToolBar>

#include <viewer/core/check_scope.h>
#include <viewer/gui/mate_offer.h>

namespace fitup::viewer {

class InterferenceTable;

/// What is checked, and what happens while parts are dragged.
class CheckActions : public QObject {
  Q_OBJECT

 public:
  CheckActions(Document& document, DragController& drag, MateOffer& mates, InterferenceTable& table,
               QWidget& window);
  void addTo(QMenu& menu);
  void addTo(QToolBar& bar);
  [[nodiscard]] QAction& tolerance() noexcept { return *tolerance_; }

 private:
  QAction* makeSwitch(const QString& text, const QString& tip, const QString& key,
                      bool CheckSettings::*member);
  void makeDragModes();
  void makeQueryModes();
  void follow();
  void askTolerance();
  void narrow(CheckScope scope);
  void widen();

  Document& document_;
  DragController& drag_;
  MateOffer& mates_;
  InterferenceTable& table_;
  QWidget& window_;
  QActionGroup *dragModes_, *queryModes_;
  std::vector<std::pair<QAction*, bool CheckSettings::*>> switches_;
  QAction *check_, *verdicts_, *distance_, *offers_, *tolerance_, *widen_;
};

}  // namespace fitup::viewer
