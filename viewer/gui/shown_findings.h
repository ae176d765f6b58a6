#pragma once

#include <optional>
#include <vector>

#include <QObject>

#include <viewer/gui/depth_arrow.h>
#include <viewer/gui/mark_finder.h>
#include <viewer/gui/scene_presenter.h>

namespace fitup::viewer {

class Document;
class DragController;

/// The findings of the check in the view: those that need action are red where the parts intersect. A finding
/// that is looked at is shown as in reports: its parts in two colours, others ghosted, its faces marked, in
/// red where they intersect, and its depth. Use it in the GUI thread.
class ShownFindings : public QObject {
  Q_OBJECT

 public:
  /// `view` holds the label of the depth.
  ShownFindings(Document& document, DragController& drag, ScenePresenter& presenter, QWidget& view);

  /// The finding that is looked at; empty: none. Call `show` afterwards.
  void choose(const std::optional<Finding>& finding) { chosen_ = finding; }
  [[nodiscard]] const std::optional<Finding>& chosen() const noexcept { return chosen_; }
  /// The model goes.
  void clear();
  /// True while it is being found out where parts intersect.
  [[nodiscard]] bool isMarking() const { return ofChosen_.isBehind() || ofAll_.isBehind(); }
  /// Whether faces that intersect are painted as a whole, also those of the finding that is looked at.
  void setPaintsFaces(bool on) { paintsFaces_ = on; }
  [[nodiscard]] bool paintsFaces() const noexcept { return paintsFaces_; }
  /// Whether parts without findings are ghosted.
  void setDimsOthers(bool on) { dimsOthers_ = on; }
  [[nodiscard]] bool dimsOthers() const noexcept { return dimsOthers_; }

  /// Sets looks, placements and highlights of the presenter. Precondition: the document has a session.
  void show();
  [[nodiscard]] DepthArrow& depth() noexcept { return depth_; }
  [[nodiscard]] const DepthArrow& depth() const noexcept { return depth_; }

 signals:
  void found();                     ///< where some parts intersect: call `show`
  void noted(const QString& text);  ///< about what is shown

 private:
  [[nodiscard]] InstanceLooks looks(const InterferenceReport* report) const;
  [[nodiscard]] bool marksChosen() const;
  [[nodiscard]] std::vector<MarkedPair> marksOfChosen();
  [[nodiscard]] std::vector<MarkedPair> marksOfAll(const InterferenceReport* report);
  void showDepth(const InterferenceReport* report);

  Document& document_;
  DragController& drag_;
  ScenePresenter& presenter_;
  std::optional<Finding> chosen_;
  bool dimsOthers_ = false, paintsFaces_ = false;
  MarkFinder ofChosen_{40'000}, ofAll_{20'000};  ///< fewer pieces, for many pairs
  DepthArrow depth_;
};

}  // namespace fitup::viewer
