#pragma once

#include <vector>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>

#include <viewer/gui/document.h>
#include <viewer/gui/number_field.h>

namespace fitup::viewer {

class SceneView;

/// Compares methods by hand: chooses the hierarchy and the use of the overlap box, shows the operations and
/// times of the last check, and the boxes of a hierarchy's level around the selected parts.
class ExpertPanel : public QWidget {
  Q_OBJECT

 public:
  ExpertPanel(Document& document, SceneView& view, QWidget* parent = nullptr);
  /// Builds trees of the kind in the background if the models do not carry them yet.
  void chooseHierarchy(HierarchyKind kind);
  static constexpr std::size_t deepestLevel = 99;
  /// The level of the chosen hierarchy. Unset: no boxes.
  void showBoxes(std::optional<std::size_t> level);
  /// The time of the last check with the distance, as it is shown; empty if there is none.
  [[nodiscard]] QString timeText() const { return time_->text(); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void follow();
  void count();
  void refreshBoxes();

  Document& document_;
  SceneView& view_;
  QComboBox *hierarchy_, *overlapBox_;
  std::vector<QLabel*> counts_;
  QLabel* time_;
  QCheckBox* boxes_;
  CountField* level_;
};

}  // namespace fitup::viewer
