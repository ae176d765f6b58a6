#include <viewer/gui/rule_form.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <QColorDialog>
#include <QHBoxLayout>
#include <QLocale>
#include <QPixmap>
#include <QSignalBlocker>

#include <viewer/core/length_scale.h>
#include <viewer/core/rule_length.h>
#include <viewer/gui/rule_text.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/theme.h>

namespace fitup::viewer {
namespace {

constexpr int labelColumn = 0, columnA = 1, columnB = 2;
// Each row of fields is followed by one for their problems.
constexpr int headingRow = 0, patternRow = 1, partRow = 3, colourRow = 5, layerRow = 7, actionRow = 9,
              reasonRow = 11;
constexpr double longestLength = 1e9;

/// Shows a length without zeros at its end: the decimals are those of the smallest lengths of the model.
class LengthField : public NumberField {
 public:
  [[nodiscard]] QString textFromValue(double value) const override {
    return locale().toString(value, 'f', QLocale::FloatingPointShortest);
  }
};

/// Returns the colour that a field has; invalid for names of colours, which Qt knows and rules do not.
QColor enteredColour(const QLineEdit& field) {
  const QString text = field.text().trimmed();
  return text.startsWith('#') ? QColor(text) : QColor();
}

QLabel* labelOf(const QString& text, QWidget* buddy) {
  auto* label = new QLabel(text);
  label->setBuddy(buddy);
  return label;
}

}  // namespace

RuleForm::RuleForm(LengthUnit unit, double size, QWidget* parent)
    : QWidget(parent),
      grid_(new QGridLayout(this)),
      unit_(std::move(unit)),
      decimals_(std::max(4, decimalsFor(unit_.shown(size)))) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(10);
  grid_->setVerticalSpacing(4);
  grid_->setColumnStretch(columnA, 1);
  grid_->setColumnStretch(columnB, 1);
  grid_->addWidget(new QLabel(tr("First parts (a)")), headingRow, columnA);
  grid_->addWidget(new QLabel(tr("Second parts (b)")), headingRow, columnB);
  // The order of the fields is that of the tab key.
  patternA_ =
      addText(patternRow, columnA, "a", [](Rule& r, const QString& text) { r.a = text.toStdString(); });
  patternB_ =
      addText(patternRow, columnB, "b", [](Rule& r, const QString& text) { r.b = text.toStdString(); });
  for (QLineEdit* pattern : {patternA_, patternB_})
    pattern->setToolTip(
        tr("Path of a part, or of a subassembly with everything below it.\n* stands for any characters, ? "
           "for one"));
  grid_->addWidget(labelOf(tr("Pat&h"), patternA_), patternRow, labelColumn);
  partA_ = addText(partRow, columnA, "partA",
                   [](Rule& r, const QString& text) { r.whereA.part = text.toStdString(); });
  partB_ = addText(partRow, columnB, "partB",
                   [](Rule& r, const QString& text) { r.whereB.part = text.toStdString(); });
  for (QLineEdit* part : {partA_, partB_}) {
    part->setPlaceholderText(tr("any"));
    part->setToolTip(tr("Pattern for the name of the part, such as M8*"));
  }
  grid_->addWidget(labelOf(tr("Part &name"), partA_), partRow, labelColumn);
  // Rules compare colours in lower case.
  addColour(
      colourRow, columnA, "colourA",
      [](Rule& r, const QString& text) { r.whereA.colour = text.trimmed().toLower().toStdString(); },
      colourA_);
  addColour(
      colourRow, columnB, "colourB",
      [](Rule& r, const QString& text) { r.whereB.colour = text.trimmed().toLower().toStdString(); },
      colourB_);
  grid_->addWidget(labelOf(tr("&Colour"), colourA_.text), colourRow, labelColumn);
  layerA_ = addText(layerRow, columnA, "layerA",
                    [](Rule& r, const QString& text) { r.whereA.layer = text.toStdString(); });
  layerB_ = addText(layerRow, columnB, "layerB",
                    [](Rule& r, const QString& text) { r.whereB.layer = text.toStdString(); });
  for (QLineEdit* layer : {layerA_, layerB_}) {
    layer->setPlaceholderText(tr("any"));
    layer->setToolTip(
        tr("Pattern for a layer that the part is on, such as PIPING*.\n"
           "The properties of a part name its layers"));
  }
  grid_->addWidget(labelOf(tr("La&yer"), layerA_), layerRow, labelColumn);
  addAction(actionRow);
  reason_ = addText(
      reasonRow, columnA, "reason", [](Rule& r, const QString& text) { r.reason = text.toStdString(); }, 2);
  reason_->setToolTip(tr("Reports and the table show it for contact that the rule allows"));
  grid_->addWidget(labelOf(tr("R&eason"), reason_), reasonRow, labelColumn);
  // The labels belong to the fields of the first parts.
  patternB_->setAccessibleName(tr("Path of the second parts"));
  partB_->setAccessibleName(tr("Part name of the second parts"));
  colourB_.text->setAccessibleName(tr("Colour of the second parts"));
  layerB_->setAccessibleName(tr("Layer of the second parts"));
  setRule(std::nullopt);
}

QLineEdit* RuleForm::makeText(int row, int column, const char* name, SetText set) {
  auto* field = new QLineEdit;
  field->setObjectName(QString::fromLatin1(name));
  addProblem(row + 1, column, {name});
  // Only a field that the user edits changes the rule: others may show text that is not UTF-8 in another way.
  connect(field, &QLineEdit::textEdited, this,
          [this, set](const QString& text) { change([&](Rule& rule) { set(rule, text); }); });
  return field;
}

QLineEdit* RuleForm::addText(int row, int column, const char* name, SetText set, int span) {
  QLineEdit* field = makeText(row, column, name, set);
  grid_->addWidget(field, row, column, 1, span);
  return field;
}

void RuleForm::addColour(int row, int column, const char* name, SetText set, Colour& colour) {
  colour.text = makeText(row, column, name, set);
  colour.text->setPlaceholderText(tr("any"));
  colour.text->setToolTip(tr("Colour of the instance or of a face, such as #ff8000"));
  colour.pick = new QToolButton;
  colour.pick->setObjectName(QString::fromLatin1(name) + QStringLiteral("Pick"));
  colour.pick->setToolTip(tr("Choose a colour"));
  colour.pick->setAccessibleName(tr("Choose a colour"));
  auto* line = new QHBoxLayout;
  line->setSpacing(4);
  line->addWidget(colour.text, 1);
  line->addWidget(colour.pick);
  grid_->addLayout(line, row, column);
  connect(colour.text, &QLineEdit::textChanged, this, [this, &colour] { showSwatch(colour); });
  connect(colour.pick, &QToolButton::clicked, this, [this, &colour] { pickColour(colour); });
}

void RuleForm::addAction(int row) {
  action_ = new QComboBox;
  action_->setObjectName(QStringLiteral("action"));
  for (const auto& [action, tip] :
       {std::pair{RuleAction::ignore, tr("The pair is not checked")},
        std::pair{RuleAction::allowContact, tr("The pair may touch; a clash is still a clash")},
        std::pair{RuleAction::allowOverlap,
                  tr("Overlaps up to this depth count as contact, which is allowed; needs verdicts")},
        std::pair{RuleAction::clearance, tr("A pair that is nearer is a finding")}}) {
    action_->addItem(actionText(action), QVariant::fromValue(static_cast<int>(action)));
    action_->setItemData(action_->count() - 1, tip, Qt::ToolTipRole);
  }
  action_->setToolTip(tr("What the rule does with the pairs that it matches"));
  lengthField_ = new LengthField;
  lengthField_->setObjectName(QStringLiteral("length"));
  lengthField_->setRange(0, unit_.shown(longestLength));
  lengthField_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  lengthField_->setSuffix(' ' + unit_.name);
  lengthField_->setToolTip(tr("The largest overlap, or the smallest distance"));
  lengthField_->setAccessibleName(tr("The largest overlap, or the smallest distance"));
  auto* line = new QHBoxLayout;
  line->setSpacing(4);
  line->addWidget(action_);
  line->addWidget(lengthField_);
  line->addStretch(1);
  grid_->addLayout(line, row, columnA);
  grid_->addWidget(labelOf(tr("Ac&tion"), action_), row, labelColumn);
  addProblem(row + 1, columnA, {"action", "distance", "depth"});
  sameSubassembly_ = new QCheckBox(tr("&Within one subassembly"));
  sameSubassembly_->setObjectName(QStringLiteral("sameSubassembly"));
  sameSubassembly_->setToolTip(
      tr("Only pairs within one subassembly whose path matches both patterns: pump* then covers the pairs "
         "within pump1 and those within pump2, but none between the two"));
  thread_ = new QCheckBox(tr("Only thread&s"));
  thread_->setObjectName(QStringLiteral("thread"));
  thread_->setToolTip(
      tr("Only pairs that are recognised as a metric thread, modelled as cylinders: a bolt in its nut"));
  auto* switches = new QHBoxLayout;
  switches->setSpacing(16);
  switches->addWidget(sameSubassembly_);
  switches->addWidget(thread_);
  switches->addStretch(1);
  grid_->addLayout(switches, row, columnB);
  addProblem(row + 1, columnB, {"sameSubassembly", "fastener"});
  connect(action_, &QComboBox::currentIndexChanged, this, [this] {
    const auto action = static_cast<RuleAction>(action_->currentData().toInt());
    lengthField_->setVisible(hasLength(action));
    change([&](Rule& rule) { setAction(rule, action, length_); });
  });
  connect(lengthField_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    length_ = unit_.model(value);
    change([&](Rule& rule) { setAction(rule, rule.action, length_); });
  });
  connect(sameSubassembly_, &QCheckBox::toggled, this,
          [this](bool on) { change([on](Rule& rule) { rule.sameSubassembly = on; }); });
  connect(thread_, &QCheckBox::toggled, this, [this](bool on) {
    change([on](Rule& rule) { rule.fastener = on ? std::optional(Fastener::thread) : std::nullopt; });
  });
}

void RuleForm::addProblem(int row, int column, std::initializer_list<const char*> fields) {
  auto* label = new QLabel;
  label->setObjectName(QString::fromLatin1(*fields.begin()) + QStringLiteral("Problem"));
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setStyleSheet(QStringLiteral("color: ") + warningColour(palette()).name());
  label->hide();
  grid_->addWidget(label, row, column);
  for (const char* field : fields) problems_[field] = label;
}

void RuleForm::change(const std::function<void(Rule&)>& edit) {
  if (!rule_) return;
  edit(*rule_);
  emit edited(*rule_);
}

void RuleForm::fitDecimals() {
  // Enough for two digits of a length that another model or a file asked for.
  const int needed = length_ > 0 ? 1 - static_cast<int>(std::floor(std::log10(unit_.shown(length_)))) : 0;
  lengthField_->setDecimals(std::clamp(std::max(decimals_, needed), 0, 15));
}

void RuleForm::setRule(const std::optional<Rule>& rule) {
  rule_.reset();  // while the fields change, nothing is edited
  const Rule shownRule = rule.value_or(Rule{});
  const auto text = [](QLineEdit* field, const std::string& value) {
    // The cursor stays where the user types.
    if (const QString next = QString::fromStdString(value); field->text() != next) field->setText(next);
  };
  text(patternA_, shownRule.a);
  text(patternB_, shownRule.b);
  text(partA_, shownRule.whereA.part);
  text(partB_, shownRule.whereB.part);
  text(colourA_.text, shownRule.whereA.colour);
  text(colourB_.text, shownRule.whereB.colour);
  text(layerA_, shownRule.whereA.layer);
  text(layerB_, shownRule.whereB.layer);
  text(reason_, shownRule.reason);
  action_->setCurrentIndex(static_cast<int>(shownRule.action));
  lengthField_->setVisible(hasLength(shownRule.action));
  length_ = lengthOf(shownRule);
  {
    const QSignalBlocker blocker(lengthField_);  // the field rounds the length, which is kept as it is
    fitDecimals();
    lengthField_->setValue(unit_.shown(length_));
  }
  sameSubassembly_->setChecked(shownRule.sameSubassembly);
  thread_->setChecked(shownRule.fastener == Fastener::thread);
  for (const Colour& colour : {colourA_, colourB_}) showSwatch(colour);
  rule_ = rule;
  setEnabled(rule.has_value());
  if (!rule) showProblems({});
}

void RuleForm::showProblems(const std::vector<RuleProblem>& problems) {
  std::map<QLabel*, QString> texts;
  for (const auto& [field, label] : problems_) texts[label];
  for (const RuleProblem& problem : problems)
    if (const auto found = problems_.find(problem.field);
        found != problems_.end() && texts[found->second].isEmpty())
      texts[found->second] = problemText(problem);
  for (const auto& [label, text] : texts) {
    label->setText(text);
    label->setVisible(!text.isEmpty());
  }
}

void RuleForm::begin() {
  patternA_->setFocus();
  patternA_->selectAll();
}

void RuleForm::showSwatch(const Colour& colour) {
  const QColor value = enteredColour(*colour.text);
  QPixmap swatch(16, 16);
  if (value.isValid()) swatch.fill(value);
  colour.pick->setIcon(value.isValid() ? QIcon(swatch) : QIcon());
  colour.pick->setText(QStringLiteral("..."));
}

void RuleForm::pickColour(const Colour& colour) {
  const QColor before = enteredColour(*colour.text);
  const QColor chosen =
      QColorDialog::getColor(before.isValid() ? before : QColor(Qt::white), this, tr("Colour of the parts"));
  if (!chosen.isValid()) return;
  colour.text->setText(chosen.name());
  emit colour.text->textEdited(chosen.name());
}

}  // namespace fitup::viewer
