#pragma once

#include <optional>
#include <vector>

#include <QLabel>

#include <fitup/base/newest_task.h>
#include <viewer/core/selection_facts.h>
#include <viewer/core/solid_facts.h>
#include <viewer/gui/drag_controller.h>
#include <viewer/gui/finding_text.h>
#include <viewer/gui/number_field.h>
#include <viewer/gui/value_list.h>

namespace fitup::viewer {

class SceneView;

/// Shows the properties of the selected parts and of the clicked face: source, counts, boxes, area and
/// volume, placement, shape; or of the chosen finding, whichever was chosen last. Those that take time are
/// computed in the background. Lines can be copied.
class PropertiesPanel : public QWidget {
  Q_OBJECT

 public:
  PropertiesPanel(Document& document, DragController& drag, SceneView& view, QWidget* parent = nullptr);
  ~PropertiesPanel() override;

  /// Whether the panel can be seen. A panel behind another one counts as visible in Qt, but nothing is
  /// computed for it.
  [[nodiscard]] bool isInFront() const noexcept { return inFront_; }
  void setInFront(bool inFront);
  /// Shows a finding instead of parts, until others are selected; empty: shows the parts again.
  void showFinding(std::optional<FindingDetails> details);
  /// Does not bring a finding back in front of the parts.
  void updateFinding(std::optional<FindingDetails> details);
  /// A line of the panel as it is shown; empty if there is none.
  [[nodiscard]] QString value(const QString& group, const QString& name) const;
  /// All lines, "name<tab>value" each, below the name of its group; in the unit of the model, for scripts.
  [[nodiscard]] QString text() const;
  /// True while something is being computed.
  [[nodiscard]] bool isWaiting() const noexcept { return asked_ != answered_; }

 private:
  using Line = ValueList::Line;
  void follow();
  void followPlaces();
  void ask();
  void receive(std::uint64_t ticket, const std::optional<SolidFacts>& facts);
  void show();
  void showLines();
  void chooseFace(int number);
  void showFace();
  [[nodiscard]] std::vector<Line> lines(const LengthUnit& unit) const;
  [[nodiscard]] std::vector<Line> lines() const;
  void addGeneral(std::vector<Line>& lines, const LengthUnit& unit) const;
  void addGeometry(std::vector<Line>& lines, const LengthUnit& unit) const;
  void addPlacement(std::vector<Line>& lines, NodeId instance, const LengthUnit& unit) const;
  void addFace(std::vector<Line>& lines, NodeId instance, SurfaceId surface, const LengthUnit& unit) const;
  [[nodiscard]] bool showsFinding() const;
  /// The selected instance, if there is exactly one.
  [[nodiscard]] std::optional<NodeId> single() const;

  Document& document_;
  DragController& drag_;
  SceneView& view_;
  QLabel* nothing_;
  ValueList* list_;
  CountField* face_;
  QWidget* faceLine_;
  bool inFront_ = false;
  std::optional<FindingDetails> finding_;
  bool isFindingLast_ = false;  ///< chosen after the selected parts
  SelectionFacts quick_;
  std::optional<SolidFacts> solid_;  ///< facts of the selection, possibly in its previous placement
  std::uint64_t asked_ = 0, answered_ = 0;
  SolidFactsFinder finder_;  ///< used on the worker's thread
  NewestTask worker_;
};

}  // namespace fitup::viewer
