#include <viewer/gui/rules_dialog.h>

#include <algorithm>

#include <QCheckBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <fitup/base/error.h>
#include <viewer/core/length_scale.h>
#include <viewer/gui/file_dialogs.h>
#include <viewer/gui/rule_form.h>
#include <viewer/gui/rule_text.h>
#include <viewer/gui/rules_model.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

/// How long the user has to pause before pairs are counted.
constexpr int countingDelay = 200;  // milliseconds

class RulesDialog : public QDialog {
  Q_DECLARE_TR_FUNCTIONS(fitup::viewer::RulesDialog)

 public:
  RulesDialog(QWidget* parent, const Session& session, const LengthUnit& unit,
              const std::optional<RuleSuggestion>& proposed)
      : QDialog(parent),
        counter_(session),
        model_(new RulesModel(session.state().rules, unit, this)),
        table_(new QTableView),
        form_(new RuleForm(unit, sizeOf(session.assembly()))),
        ruleBox_(new QGroupBox),
        wholePaths_(new QCheckBox(tr("Patterns match whole paths of parts only, as in rules of version 1"))),
        sets_(
            new QLabel(tr("The check is also narrowed to sets of parts (Check > All parts again ends it)."))),
        message_(new QLabel) {
    setWindowTitle(tr("Rules"));
    setObjectName(QStringLiteral("rules"));
    auto* all = new QVBoxLayout(this);
    all->addWidget(new QLabel(tr("The first rule that matches a pair of parts applies to it.")));
    auto* upper = new QHBoxLayout;
    upper->addWidget(table_, 1);
    upper->addLayout(makeButtons());
    all->addLayout(upper, 1);
    all->addWidget(wholePaths_);
    all->addWidget(sets_);
    auto* inBox = new QVBoxLayout(ruleBox_);
    inBox->addWidget(form_);
    all->addWidget(ruleBox_);
    message_->setObjectName(QStringLiteral("message"));
    message_->setTextFormat(Qt::PlainText);
    message_->setWordWrap(true);
    all->addWidget(message_);
    all->addLayout(makeLowerButtons());
    makeTable();
    wholePaths_->setObjectName(QStringLiteral("wholePaths"));
    connect(wholePaths_, &QCheckBox::toggled, this, [this](bool on) {
      if (on != model_->rules().wholePaths) model_->setWholePaths(on);
    });
    connect(form_, &RuleForm::edited, this, [this](const Rule& rule) { model_->setRule(*row(), rule); });
    connect(model_, &RulesModel::edited, this, &RulesDialog::follow);
    counting_.setSingleShot(true);
    counting_.setInterval(countingDelay);
    connect(&counting_, &QTimer::timeout, this,
            [this] { model_->setCounts(counter_.count(model_->rules())); });
    if (proposed) {
      const int at = static_cast<int>(proposed->position);
      model_->insert(at, proposed->rule);
      select(at);
      say(tr("Rule %1 is new, for the selected finding.").arg(at + 1));
    } else {
      select(0);
    }
    model_->setCounts(counter_.count(model_->rules()));
    showFileParts();
    resize(1040, 580);
  }

  [[nodiscard]] const Rules& rules() const { return model_->rules(); }

 private:
  QPushButton* button(QBoxLayout* layout, const char* name, const QString& text, const QString& tip,
                      void (RulesDialog::*action)()) {
    auto* made = new QPushButton(text);
    made->setObjectName(QString::fromLatin1(name));
    made->setToolTip(tip);
    made->setAutoDefault(false);  // Enter in a field means OK
    connect(made, &QPushButton::clicked, this, action);
    layout->addWidget(made);
    return made;
  }
  QBoxLayout* makeButtons() {
    auto* column = new QVBoxLayout;
    button(column, "add", tr("&Add"), tr("Adds a rule below the chosen one: Ins"), &RulesDialog::add);
    duplicate_ = button(column, "duplicate", tr("&Duplicate"), tr("Adds a copy of the chosen rule"),
                        &RulesDialog::duplicate);
    remove_ =
        button(column, "remove", tr("&Remove"), tr("Removes the chosen rule: Del"), &RulesDialog::remove);
    column->addSpacing(12);
    up_ = button(column, "up", tr("Move &up"), tr("The rule takes precedence over the one above: Alt+Up"),
                 &RulesDialog::moveUp);
    down_ = button(column, "down", tr("Move do&wn"), tr("The one below takes precedence: Alt+Down"),
                   &RulesDialog::moveDown);
    column->addStretch(1);
    return column;
  }
  QBoxLayout* makeLowerButtons() {
    auto* line = new QHBoxLayout;
    button(line, "load", tr("&Load..."), tr("Replaces all rules by those of a rules file"),
           &RulesDialog::load);
    button(line, "save", tr("&Save..."),
           tr("Writes the rules to a rules file, for other models and fitup check"), &RulesDialog::save);
    auto* box = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    ok_ = box->button(QDialogButtonBox::Ok);
    ok_->setDefault(true);
    connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    line->addWidget(box, 1);
    return line;
  }
  void makeTable() {
    table_->setObjectName(QStringLiteral("table"));
    table_->setAccessibleName(tr("Rules"));
    table_->setModel(model_);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTabKeyNavigation(false);
    table_->setAlternatingRowColors(true);
    table_->setWordWrap(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 6);
    table_->horizontalHeader()->setStretchLastSection(true);
    const int widths[] = {32, 165, 165, 180, 170, 60, 90};
    for (int i = 0; i < RulesModel::columns; ++i) table_->setColumnWidth(i, widths[i]);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RulesDialog::showRule);
    const auto key = [this](const QKeySequence& keys, void (RulesDialog::*action)()) {
      auto* shortcut = new QShortcut(keys, table_);
      shortcut->setContext(Qt::WidgetWithChildrenShortcut);  // on a field or button, Del removes no rule
      connect(shortcut, &QShortcut::activated, this, action);
    };
    key(Qt::Key_Insert, &RulesDialog::add);
    key(Qt::Key_Delete, &RulesDialog::remove);
    key(Qt::ALT | Qt::Key_Up, &RulesDialog::moveUp);
    key(Qt::ALT | Qt::Key_Down, &RulesDialog::moveDown);
  }

  /// The chosen row.
  [[nodiscard]] std::optional<int> row() const {
    const QModelIndex index = table_->currentIndex();
    return index.isValid() ? std::optional(index.row()) : std::nullopt;
  }
  void select(int to) {
    if (model_->rowCount() > 0) table_->selectRow(std::clamp(to, 0, model_->rowCount() - 1));
    showRule();
  }
  void showRule() {
    const std::optional<int> at = row();
    form_->setRule(at ? std::optional(model_->rule(*at)) : std::nullopt);
    ruleBox_->setTitle(at ? tr("Rule %1").arg(*at + 1) : tr("No rule is chosen"));
    for (QPushButton* each : {duplicate_, remove_}) each->setEnabled(at.has_value());
    up_->setEnabled(at && *at > 0);
    down_->setEnabled(at && *at + 1 < model_->rowCount());
    showProblems();
  }
  void showProblems() {
    const std::optional<int> at = row(), first = model_->firstProblem();
    if (at) form_->showProblems(model_->problems(*at));
    ok_->setEnabled(!first);
    say(first ? tr("Rule %1 is not complete.").arg(*first + 1) : QString());
  }
  void say(const QString& text) {
    message_->setText(text);
    message_->setVisible(!text.isEmpty());
  }
  void follow() {
    showProblems();
    counting_.start();
  }
  /// Shows what a rules file has besides its rules.
  void showFileParts() {
    wholePaths_->setChecked(model_->rules().wholePaths);
    wholePaths_->setVisible(model_->rules().wholePaths);
    sets_->setVisible(model_->rules().check.has_value());
  }

  void insert(int at, const Rule& rule) {
    model_->insert(at, rule);
    select(at);
    form_->begin();
  }
  void add() { insert(row() ? *row() + 1 : model_->rowCount(), Rule{.a = "*", .b = "*"}); }
  void duplicate() {
    if (const auto at = row()) insert(*at + 1, model_->rule(*at));
  }
  void remove() {
    const auto at = row();
    if (!at) return;
    model_->remove(*at);
    select(*at);
  }
  void moveBy(int by) {
    const auto at = row();
    if (!at || *at + by < 0 || *at + by >= model_->rowCount()) return;
    model_->move(*at, by);
    select(*at + by);
  }
  void moveUp() { moveBy(-1); }
  void moveDown() { moveBy(1); }
  void load() {
    const QString file =
        askWhatToOpen(this, tr("Load rules"), fileFilter(tr("Rules"), ".json") + tr(";;All files (*)"));
    if (file.isEmpty()) return;
    try {
      model_->setRules(readRules(file.toStdString()));
    } catch (const Error& error) {
      return say(shown(error.what()));
    }
    showFileParts();
    select(0);
  }
  void save() {
    const QString file = askWhereToSave(this, tr("Save the rules"), QStringLiteral("rules.json"),
                                        fileFilter(tr("Rules"), ".json"), QStringLiteral("json"));
    if (file.isEmpty()) return;
    try {
      writeRules(file.toStdString(), model_->rules());
      say(tr("Saved %1").arg(shown(file.toStdString())));
    } catch (const Error& error) {
      say(shown(error.what()));
    }
  }

  RuleMatchCounter counter_;
  RulesModel* model_;
  QTableView* table_;
  RuleForm* form_;
  QGroupBox* ruleBox_;
  QCheckBox* wholePaths_;
  QLabel *sets_, *message_;
  QPushButton *duplicate_ = nullptr, *remove_ = nullptr, *up_ = nullptr, *down_ = nullptr, *ok_ = nullptr;
  QTimer counting_;
};

}  // namespace

std::optional<Rules> askRules(QWidget* parent, const Session& session, const LengthUnit& unit,
                              const std::optional<RuleSuggestion>& proposed) {
  RulesDialog dialog(parent, session, unit, proposed);
  if (dialog.exec() != QDialog::Accepted || dialog.rules() == session.state().rules) return std::nullopt;
  return dialog.rules();
}

}  // namespace fitup::viewer
