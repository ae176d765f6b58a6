#include <viewer/gui/preferences_dialog.h>

#include <QColorDialog>
#include <QDialogButtonBox>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <fitup/base/error.h>
#include <fitup/io/model_cache.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/menu_entries.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

/// Labels of all sections are as wide, so that the fields form one column.
QLabel* labelOf(const QString& text) {
  auto* label = new QLabel(text);
  label->setMinimumWidth(label->fontMetrics().horizontalAdvance(QString(18, QLatin1Char('n'))));
  return label;
}

}  // namespace

PreferencesDialog::PreferencesDialog(MainWindow& window) : QDialog(&window), window_(window) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("preferences"));
  setWindowTitle(tr("Preferences"));
  auto* all = new QVBoxLayout(this);
  QFormLayout& view = *addSection(tr("View"));
  addChoice(view, tr("Mouse navigation"), "navigation", tr("What drags and the wheel do to the view"));
  addChoice(view, tr("Projection"), "projection", tr("How depth is drawn"));
  addChoice(view, tr("Display"), "display", tr("How parts are drawn"));
  addChoice(
      view, tr("Unit of lengths"), "length-unit",
      tr("The unit in which lengths are shown and typed. Files and scripts keep the unit of the model"));
  addChoice(view, tr("Pictures while moving"), "update-rate",
            tr("Fewer pictures spare a battery and the line to a remote desktop"));
  addChoice(view, tr("Language"), "language", tr("The language of the window, from the next start on"));
  QFormLayout& colours = *addSection(tr("Colours"));
  addChoice(colours, tr("Theme"), "theme", tr("The colours of all windows"));
  addBackground(colours);
  QFormLayout& findings = *addSection(tr("Findings"));
  addTolerance(findings);
  for (const char* command : {"exact-shapes", "paint-faces", "dim", "distance", "mates"})
    addSwitch(findings, command);
  addCache(*addSection(tr("Imported files")));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);  // Return ends a field, not the dialog
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  all->addWidget(buttons);
  connect(&window_.commands(), &Commands::refreshed, this, &PreferencesDialog::refresh);
  refresh();
  showCache();
}

QFormLayout* PreferencesDialog::addSection(const QString& title) {
  auto* box = new QGroupBox(title);
  auto* form = new QFormLayout(box);
  layout()->addWidget(box);
  return form;
}

void PreferencesDialog::addChoice(QFormLayout& section, const QString& label, const char* command,
                                  const QString& tip) {
  auto* box = new QComboBox;
  box->setObjectName(QString::fromLatin1(command));
  box->setAccessibleName(label);
  box->setToolTip(tip);
  const std::string prefix = std::string(command) + ' ';
  for (const auto& each : window_.commands().all())
    if (each->id.starts_with(prefix) && each->checked)
      box->addItem(withoutMnemonic(each->entry.text), QString::fromStdString(each->id.substr(prefix.size())));
  connect(box, &QComboBox::activated, this, [this, box, command] {
    run({command, box->currentData().toString().toStdString()});
  });
  section.addRow(labelOf(label), box);
  choices_.push_back(box);
}

void PreferencesDialog::addSwitch(QFormLayout& section, const char* command) {
  const QAction& entry = window_.commands().action(command);
  auto* box = new QCheckBox(withoutMnemonic(entry.text()));
  box->setObjectName(QString::fromLatin1(command));
  box->setToolTip(entry.toolTip());
  connect(box, &QCheckBox::clicked, this, [this, command](bool on) { run({command, on ? "on" : "off"}); });
  section.addRow(box);
  switches_.push_back(box);
}

void PreferencesDialog::addBackground(QFormLayout& section) {
  background_ = new QPushButton(tr("As the theme"));
  background_->setObjectName(QStringLiteral("background theme"));
  background_->setCheckable(true);
  background_->setToolTip(tr("The background of the view is light or dark, as the theme"));
  ownBackground_ = new QPushButton(tr("Colour..."));
  ownBackground_->setObjectName(QStringLiteral("background"));
  ownBackground_->setCheckable(true);
  ownBackground_->setToolTip(tr("Chooses a colour for the background of the view"));
  for (QPushButton* button : {background_, ownBackground_}) button->setAutoDefault(false);
  connect(background_, &QPushButton::clicked, this, [this] { run({"background", "theme"}); });
  connect(ownBackground_, &QPushButton::clicked, this, [this] {
    const QColor now = window_.view().background().value_or(palette().color(QPalette::Window));
    const QColor chosen =
        QColorDialog::getColor(now, this, tr("Background of the view"), QColorDialog::DontUseNativeDialog);
    if (chosen.isValid()) run({"background", chosen.name().mid(1).toStdString()});
    refresh();
  });
  auto* line = new QHBoxLayout;
  line->addWidget(background_);
  line->addWidget(ownBackground_);
  line->addStretch(1);
  section.addRow(labelOf(tr("Background")), line);
}

void PreferencesDialog::addTolerance(QFormLayout& section) {
  hasTolerance_ = new QCheckBox(tr("Tolerance of models without a project"));
  hasTolerance_->setObjectName(QStringLiteral("hasTolerance"));
  hasTolerance_->setToolTip(
      tr("Models that are opened from now on start with this tolerance. Otherwise, it follows from their "
         "tessellation"));
  tolerance_ = new NumberField;
  tolerance_->setObjectName(QStringLiteral("tolerance"));
  tolerance_->setAccessibleName(hasTolerance_->text());
  tolerance_->setToolTip(tr("Overlaps up to this depth count as contact"));
  tolerance_->setDecimals(4);
  tolerance_->setRange(0.0001, 1e6);
  tolerance_->setValue(0.1);
  tolerance_->setSuffix(tr(" mm"));
  const auto apply = [this] {
    run({"default-tolerance",
         hasTolerance_->isChecked() ? QString::number(tolerance_->value(), 'g', 12).toStdString() : "none"});
  };
  connect(hasTolerance_, &QCheckBox::clicked, this, apply);
  connect(tolerance_, &NumberField::editingFinished, this, [this, apply] {
    if (hasTolerance_->isChecked()) apply();
  });
  auto* line = new QHBoxLayout;
  line->addWidget(hasTolerance_);
  line->addWidget(tolerance_);
  line->addStretch(1);
  section.addRow(line);
}

void PreferencesDialog::addCache(QFormLayout& section) {
  cache_ = new QLabel;
  cache_->setObjectName(QStringLiteral("cache"));
  cache_->setTextFormat(Qt::PlainText);
  cache_->setWordWrap(true);
  cache_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* clear = new QPushButton(tr("Clear"));
  clear->setObjectName(QStringLiteral("clear-cache"));
  clear->setToolTip(tr("Removes the kept imports. Files are then imported again, which takes longer"));
  clear->setAutoDefault(false);
  connect(clear, &QPushButton::clicked, this, [this] {
    run({"clear-cache"});
    showCache();
  });
  auto* line = new QHBoxLayout;
  line->addWidget(cache_, 1);
  line->addWidget(clear, 0, Qt::AlignTop);
  section.addRow(line);
}

void PreferencesDialog::showCache() {
  try {
    const ModelCache cache;
    std::uint64_t bytes = 0;
    const std::vector<ModelCache::Entry> entries = cache.entries();
    for (const ModelCache::Entry& entry : entries) bytes += entry.bytes;
    cache_->setText(tr("%1, %2 of at most %3, in\n%4")
                        .arg(countText(entries.size(), tr("model"), tr("models")), bytesText(bytes),
                             bytesText(cache.limit()), shown(cache.folder().string())));
  } catch (const Error& error) {
    cache_->setText(shown(error.what()));
  }
}

void PreferencesDialog::refresh() {
  const Commands& commands = window_.commands();
  for (QComboBox* box : choices_)
    for (int i = 0; i < box->count(); ++i)
      if (commands.action((box->objectName() + ' ' + box->itemData(i).toString()).toStdString()).isChecked())
        box->setCurrentIndex(i);
  for (QCheckBox* box : switches_)
    box->setChecked(commands.action(box->objectName().toStdString()).isChecked());
  const std::optional<QColor>& colour = window_.view().background();
  background_->setChecked(!colour);
  ownBackground_->setChecked(colour.has_value());
  QPixmap swatch(16, 16);
  swatch.fill(colour.value_or(Qt::transparent));
  ownBackground_->setIcon(colour ? QIcon(swatch) : QIcon());
  const std::optional<double> tolerance = window_.document().defaultTolerance();
  hasTolerance_->setChecked(tolerance.has_value());
  tolerance_->setEnabled(tolerance.has_value());
  const QSignalBlocker blocker(tolerance_);
  if (tolerance && !tolerance_->hasFocus()) tolerance_->setValue(*tolerance);
}

void PreferencesDialog::run(const Words& line) {
  try {
    window_.commands().run(line);
  } catch (const Error& error) {
    window_.tell(shown(error.what()));
  }
}

}  // namespace fitup::viewer
