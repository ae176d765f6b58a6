#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSlider>

#include <viewer/gui/document.h>

namespace fitup::viewer {

/// The section plane: across which axis, where, and which side is cut away.
class SectionPanel : public QWidget {
  Q_OBJECT

 public:
  explicit SectionPanel(Document& document, QWidget* parent = nullptr);

 private:
  void follow();
  void apply();

  Document& document_;
  QCheckBox *on_, *flip_;
  QComboBox* axis_;
  QSlider* slider_;
  QDoubleSpinBox* offset_;
  Box bounds_;  ///< of the model by design
  bool following_ = false;
};

}  // namespace fitup::viewer
