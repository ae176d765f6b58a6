#pragma once

#include <initializer_list>

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>

#include <viewer/gui/document.h>
#include <viewer/gui/elided_label.h>
#include <viewer/gui/number_field.h>
#include <viewer/gui/way_out.h>

namespace fitup::viewer {

/// Shows a search for a way out: how far it is, its answer, what is in the way, guide points, and its
/// settings. Its buttons are commands.
class WayOutPanel : public QWidget {
  Q_OBJECT

 public:
  WayOutPanel(Document& document, WayOut& wayOut, QWidget* parent = nullptr);
  enum class Row { search, stop, way, guides };
  /// Adds buttons to a row, for commands that the window adds later.
  void addButtons(Row row, std::initializer_list<QAction*> actions);
  /// What it says, line by line: the heading, the state, the clues.
  [[nodiscard]] QString text() const;
  [[nodiscard]] QListWidget& clues() noexcept { return *clues_; }
  [[nodiscard]] QListWidget& guides() noexcept { return *guides_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  QHBoxLayout& rowOf(Row row);
  void follow();
  void followState();
  void followClues();
  void followGuides();
  void followSettings();
  void setSettings();
  void chooseClue();
  void chooseGuide();

  Document& document_;
  WayOut& wayOut_;
  ElidedLabel* heading_;
  QLabel *state_, *worth_, *cluesTitle_, *guidesTitle_, *guideHint_;
  QProgressBar* progress_;
  QListWidget *clues_, *guides_;
  QWidget *way_, *guiding_, *searching_, *stopping_;
  QHBoxLayout *searchRow_, *stopRow_, *wayRow_, *guideRow_;
  NumberField *seconds_, *clearance_;
  QCheckBox* withoutHidden_;
  bool following_ = false;
};

}  // namespace fitup::viewer
