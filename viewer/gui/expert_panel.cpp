#include <viewer/gui/expert_panel.h>

#include <algorithm>
#include <array>
#include <map>

#include <QFormLayout>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/hierarchy/level_boxes.h>
#include <fitup_field/field_kinds.h>
#include <viewer/gui/library_texts.h>
#include <viewer/gui/scene_view.h>

namespace fitup::viewer {
namespace {

struct Count {
  const char* name;
  std::uint64_t QueryStats::*value;
};
constexpr std::array counts{
    Count{QT_TRANSLATE_NOOP("fitup::viewer::ExpertPanel", "box tests"), &QueryStats::boxTests},
    Count{QT_TRANSLATE_NOOP("fitup::viewer::ExpertPanel", "box updates"), &QueryStats::boxUpdates},
    Count{QT_TRANSLATE_NOOP("fitup::viewer::ExpertPanel", "cut by overlap box"),
          &QueryStats::overlapBoxRejected},
    Count{QT_TRANSLATE_NOOP("fitup::viewer::ExpertPanel", "pairs of faces"), &QueryStats::surfaceCandidates},
    Count{QT_TRANSLATE_NOOP("fitup::viewer::ExpertPanel", "pairs of triangles"),
          &QueryStats::triangleCandidates},
    Count{QT_TRANSLATE_NOOP("fitup::viewer::ExpertPanel", "triangle tests"), &QueryStats::triangleTests},
    Count{QT_TRANSLATE_NOOP("fitup::viewer::ExpertPanel", "of these exact"), &QueryStats::exactTests},
};

QString asText(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

ExpertPanel::ExpertPanel(Document& document, SceneView& view, QWidget* parent)
    : QWidget(parent),
      document_(document),
      view_(view),
      hierarchy_(new QComboBox),
      overlapBox_(new QComboBox),
      time_(new QLabel),
      boxes_(new QCheckBox(tr("boxes of level"))),
      level_(new CountField) {
  for (const HierarchyKind kind : field::allHierarchyKinds()) hierarchy_->addItem(asText(name(kind)));
  for (const OverlapBoxSetting setting :
       {OverlapBoxSetting::on, OverlapBoxSetting::off, OverlapBoxSetting::classical}) {
    overlapBox_->addItem(translated(name(setting)), static_cast<int>(setting));
  }
  hierarchy_->setToolTip(tr("Hierarchy that the check uses; reports are the same with all of them"));
  overlapBox_->setToolTip(tr("How the box where two parts overlap filters the tests"));
  boxes_->setToolTip(tr("Draws the boxes of the selected parts, or of all, in the chosen hierarchy"));
  level_->setRange(0, static_cast<int>(deepestLevel));
  level_->setToolTip(tr("0 is the root"));
  level_->setAccessibleName(tr("Level of the hierarchy"));
  auto* form = new QFormLayout(this);
  form->setContentsMargins(6, 6, 6, 6);
  form->setVerticalSpacing(2);
  form->addRow(tr("hierarchy"), hierarchy_);
  form->addRow(tr("overlap box"), overlapBox_);
  for (const Count& each : counts) {
    counts_.push_back(new QLabel);
    form->addRow(tr(each.name), counts_.back());
  }
  counts_.push_back(new QLabel);
  form->addRow(tr("detection"), counts_.back());
  time_->setToolTip(tr("Time of the last check, including the distance"));
  form->addRow(tr("whole answer"), time_);
  auto* line = new QHBoxLayout;
  line->addWidget(boxes_);
  line->addWidget(level_, 1);
  form->addRow(line);
  setToolTip(tr("Cost of the last check; after a move, of the pairs that the move concerns"));

  connect(hierarchy_, &QComboBox::activated, this,
          [this](int i) { chooseHierarchy(field::allHierarchyKinds()[static_cast<std::size_t>(i)]); });
  connect(overlapBox_, &QComboBox::activated, this, [this] {
    CheckSettings settings = document_.check().settings();
    settings.overlapBox = static_cast<OverlapBoxSetting>(overlapBox_->currentData().toInt());
    document_.check().setSettings(settings);
  });
  connect(boxes_, &QCheckBox::toggled, this, &ExpertPanel::refreshBoxes);
  connect(level_, &CountField::valueChanged, this, &ExpertPanel::refreshBoxes);
  connect(&document_, &Document::selectionChanged, this, &ExpertPanel::refreshBoxes);
  connect(&document_, &Document::opened, this, &ExpertPanel::refreshBoxes);
  connect(&document_.check(), &LiveCheck::settingsChanged, this, &ExpertPanel::follow);
  connect(&document_.check(), &LiveCheck::answered, this, &ExpertPanel::count);
  connect(&document_, &Document::jobEnded, this, &ExpertPanel::follow);
  follow();
}

void ExpertPanel::follow() {
  const CheckSettings& settings = document_.check().settings();
  hierarchy_->setCurrentIndex(hierarchy_->findText(asText(name(settings.hierarchy))));
  overlapBox_->setCurrentIndex(overlapBox_->findData(static_cast<int>(settings.overlapBox)));
  refreshBoxes();
}

void ExpertPanel::count() {
  if (!isVisible()) return;
  const LiveAnswer& answer = document_.check().answer();
  const auto& report = answer.report;
  time_->setText(report ? tr("%1 ms").arg(answer.milliseconds, 0, 'f', 2) : QString());
  // If nothing has moved, nothing was checked, so the last figures stay.
  if (report && report->stats == QueryStats{} && report->narrowPairs > 0) return;
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts_[i]->setText(report ? QString::number(static_cast<qulonglong>(report->stats.*counts[i].value))
                               : QString());
  counts_.back()->setText(report ? tr("%1 ms").arg(report->milliseconds, 0, 'f', 3) : QString());
}

void ExpertPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  count();
}

void ExpertPanel::chooseHierarchy(HierarchyKind kind) {
  CheckSettings settings = document_.check().settings();
  settings.hierarchy = kind;
  if (document_.session() == nullptr || document_.check().carries(kind))
    return document_.check().setSettings(settings);
  auto scene = std::make_shared<Scene>(document_.check().scene());
  BuildOptions options;
  options.add(kind);
  document_.startJob(
      tr("Building %1 trees").arg(asText(name(kind))),
      [=](const Progress& progress) { *scene = scene->with(options, progress); },
      [this, scene, settings] {
        document_.check().useScene(*scene);
        document_.check().setSettings(settings);
      });
}

void ExpertPanel::showBoxes(std::optional<std::size_t> level) {
  if (level) level_->setValue(static_cast<int>(*level));
  boxes_->setChecked(level.has_value());
}

void ExpertPanel::refreshBoxes() {
  std::set<NodeId> of;
  if (boxes_->isChecked() && document_.session() != nullptr) {
    of = document_.selection();
    if (of.empty())
      for (const NodeId node : document_.session()->assembly().instances()) of.insert(node);
  }
  // Models of the check carry the chosen kind; those of the scene have what the model file holds.
  view_.presenter().showBoxes(of, [this](NodeId node) {
    const LiveCheck& check = document_.check();
    return levelBoxes(check.scene().modelOf(node), check.settings().hierarchy,
                      static_cast<std::size_t>(level_->value()));
  });
  view_.update();
}

}  // namespace fitup::viewer
