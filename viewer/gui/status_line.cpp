#include <viewer/gui/status_line.h>
#include <QEvent>

#include <algorithm>

#include <QEvent>

#include <fitup/base/rounding.h>
#include <fitup/scene/finding_counts.h>
#include <viewer/core/findings.h>
#include <viewer/gui/library_texts.h>
#include <viewer/gui/nearness_text.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/scope_text.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/text_dialog.h>
#include <viewer/gui/theme.h>

namespace fitup::viewer {

QString dragModeText(DragMode mode) {
  switch (mode) {
    case DragMode::off:
      return StatusLine::tr("Move only");
    case DragMode::detect:
      return StatusLine::tr("Detect");
    case DragMode::slide:
      return StatusLine::tr("Slide");
    case DragMode::stopAtContact:
      break;
  }
  return StatusLine::tr("Stop at contact");
}

StatusLine::StatusLine(Document& document, DragController& drag, QWidget* parent)
    : QStatusBar(parent),
      document_(document),
      drag_(drag),
      distance_(new ElidedLabel),
      verdict_(new ElidedLabel),
      progress_(new QProgressBar),
      cancel_(new QPushButton(tr("Cancel"))) {
  progress_->setMaximumWidth(180);
  for (ElidedLabel* label : {distance_, verdict_}) label->setContentsMargins(8, 0, 8, 0);
  for (QWidget* widget : {static_cast<QWidget*>(progress_), static_cast<QWidget*>(cancel_),
                          static_cast<QWidget*>(distance_), static_cast<QWidget*>(verdict_)})
    addPermanentWidget(widget);
  progress_->hide();
  cancel_->hide();
  catchUpDelay_.setSingleShot(true);
  catchUpDelay_.setInterval(500);
  connect(cancel_, &QPushButton::clicked, this, [this] {
    if (document_.hasJob())
      document_.cancelJob();
    else
      document_.check().stopCatchingUp();
  });
  connect(verdict_, &ElidedLabel::clicked, this, &StatusLine::showWholeVerdict);
  connect(&catchUpDelay_, &QTimer::timeout, this, &StatusLine::showProgress);
  connect(&document_.check(), &LiveCheck::answered, this, &StatusLine::showProgress);
  connect(&document_.check(), &LiveCheck::asked, this, &StatusLine::showProgress);
  connect(&document_, &Document::opened, this, &StatusLine::showProgress);
  connect(&document_, &Document::jobChanged, this, [this](const QString& what, double fraction) {
    showMessage(what);
    progress_->setToolTip({});
    progress_->setFormat(QStringLiteral("%p%"));
    progress_->setRange(0, fraction < 0 ? 0 : 100);
    if (fraction >= 0) progress_->setValue(static_cast<int>(100 * fraction));
    progress_->show();
    cancel_->show();
  });
  connect(&document_, &Document::jobEnded, this, [this] {
    clearMessage();
    progress_->hide();
    cancel_->hide();
    showProgress();
  });
  connect(&document_, &Document::saved, this,
          [this](const QString& file) { showMessage(tr("Saved %1").arg(shown(file.toStdString())), 5000); });
  connect(&document_, &Document::opened, this, &StatusLine::refresh);
  connect(&document_, &Document::stateChanged, this, &StatusLine::refresh);
  connect(&document_, &Document::selectionChanged, this, &StatusLine::refresh);
  connect(&document_.check(), &LiveCheck::answered, this, &StatusLine::refresh);
  connect(&document_.check(), &LiveCheck::depthsFound, this, &StatusLine::refresh);
  connect(&document_.check(), &LiveCheck::asked, this, &StatusLine::refresh);
  connect(&document_, &Document::lengthUnitChanged, this, &StatusLine::refresh);
  connect(&drag_, &DragController::modeChanged, this, &StatusLine::refresh);
  connect(&drag_, &DragController::ended, this, &StatusLine::refresh);
  refresh();
}

void StatusLine::showNote(const QString& text) {
  if (document_.hasJob()) return;
  if (text.isEmpty())
    clearMessage();
  else
    showMessage(text);
}

void StatusLine::refresh() {
  if (document_.session() == nullptr) {
    distance_->tell({});
    verdict_->tell({});
    return;
  }
  showDistance();
  showVerdict();
}

void StatusLine::showDistance() {
  const Session& session = *document_.session();
  const LiveAnswer& answer = document_.check().answer();
  QString text;
  if (drag_.isBehind())
    text = tr("on its way...");
  else if (drag_.stop())
    text = stopText(session, *drag_.stop());
  else if (!drag_.holding().empty())
    text = holdText(session, drag_.holding());
  else if (document_.check().settings().distance)
    text = nearnessText(session, answer, document_.selection(), document_.lengthUnit());
  distance_->tell(text);
}

QString StatusLine::foundText(const InterferenceReport& report) const {
  const CheckSettings& settings = document_.check().settings();
  const FindingCounts counts = countFindings(report);
  const std::size_t faces = counts.pairsOfFaces, parts = counts.pairsOfParts, tooNear = counts.tooNear;
  const QString pairs = countText(parts, tr("pair of parts"), tr("pairs of parts"));
  QString text;
  if (settings.verdicts)
    text = countText(counts.clashes, tr("clash"), tr("clashes")) + ", " +
           countText(counts.contacts, tr("contact"), tr("contacts")) +
           (report.isDecided() ? QString() : ", " + tr("%1 undecided").arg(counts.undecided));
  else if (parts == 0)
    text = tr("nothing intersects");
  else if (settings.mode == QueryMode::firstSurfacePair)  // other pairs of faces may intersect as well
    text = countText(parts, tr("pair of parts intersects"), tr("pairs of parts intersect"));
  else
    text = countText(faces, tr("pair of faces intersects"), tr("pairs of faces intersect")) +
           QStringLiteral(" (%1)").arg(pairs);
  if (tooNear > 0)
    text += ", " + countText(tooNear, tr("pair of parts too near"), tr("pairs of parts too near"));
  return text;
}

QString StatusLine::facesText(const LiveAnswer& answer) {
  if (!answer.options->verdict) return {};  // stated with the pairs of parts
  const FaceCounts faces = countFaces(*answer.report);
  if (faces.all == 0) return {};
  const QString all = countText(faces.all, tr("pair of faces"), tr("pairs of faces"));
  return QStringLiteral(", ") + (faces.open > 0 ? all : tr("%1 of %2 clash").arg(faces.clashes).arg(all));
}

QString StatusLine::limitsText(const LiveAnswer& answer) const {
  const InterferenceReport& report = *answer.report;
  const Rules& rules = answer.options->rules;
  QString text;
  if (rules.check) text += QStringLiteral(", ") + scopeText(document_.session()->assembly(), rules);
  if (report.excludedPairs > 0)
    text +=
        ", " + countText(report.excludedPairs, tr("pair left out by rules"), tr("pairs left out by rules"));
  if (!report.openParts.empty())
    text += ", " + countText(report.openParts.size(), tr("part not closed"), tr("parts not closed"));
  return text;
}

/// Shows how far the answer has caught up, unless that takes only a moment. Jobs have precedence.
void StatusLine::showProgress() {
  if (document_.hasJob()) return;
  const LiveCheck& check = document_.check();
  const std::uint64_t ticket = check.isCatchingUp() ? check.answer().ticket : 0;
  if (ticket != caughtUpOf_) {
    caughtUpOf_ = ticket;
    progress_->hide();
    cancel_->hide();
    if (ticket == 0)
      catchUpDelay_.stop();
    else
      catchUpDelay_.start();
  }
  if (ticket == 0 || catchUpDelay_.isActive()) return;
  const int share = static_cast<int>(100 * check.shareCaughtUp());
  progress_->setRange(0, share == 0 ? 0 : 100);
  progress_->setValue(share);
  progress_->setFormat(tr("Exact shapes: %p%"));
  progress_->setToolTip(countText(check.answer().pairsOfTriangles,
                                  tr("pair that is still to be judged more closely"),
                                  tr("pairs that are still to be judged more closely")));
  progress_->show();
  cancel_->show();
}

QString StatusLine::shapesText(const LiveAnswer& answer) {
  if (!answer.options->verdict || !answer.options->verdict->catchesUp()) return {};
  const bool isExact = answer.options->verdict->judgesExactShapes();
  if (answer.pairsOfTriangles == 0) return isExact ? tr(" (exact shapes)") : QString();
  if (!isExact)
    return QStringLiteral(" (%1)").arg(countText(answer.pairsOfTriangles,
                                                 tr("pair at the tolerance of its parts"),
                                                 tr("pairs at the tolerances of their parts")));
  return QStringLiteral(" (%1)").arg(
      countText(answer.pairsOfTriangles, tr("pair by its triangles"), tr("pairs by their triangles")));
}

QString StatusLine::shapesTip(const LiveAnswer& answer) const {
  if (!answer.options->verdict || !answer.options->verdict->catchesUp()) return {};
  if (!answer.options->verdict->judgesExactShapes()) {
    if (answer.pairsOfTriangles == 0)
      return tr("The tolerance of a pair is twice the chord error of the faces that are near each other.");
    return tr("While parts move, the tolerance of a pair is twice the chord error of the whole parts.");
  }
  if (answer.pairsOfTriangles > 0)
    return countText(answer.pairsOfTriangles, tr("pair has the verdict of its triangles."),
                     tr("pairs have the verdicts of their triangles.")) +
           QStringLiteral(" ") +
           (answer.catchesUp ? tr("The exact shapes are judged once nothing moves.")
                             : tr("Their exact shapes were not judged."));
  double chordError = 0;
  for (const PairInterference& pair : answer.report->pairs)
    if (pair.verdict) chordError = std::max(chordError, pair.verdict->chordError);
  const QString text = tr("Verdicts are those of the exact shapes.");
  if (chordError == 0) return text;
  const LengthUnit unit = document_.lengthUnit();
  return text + QStringLiteral(" ") +
         tr("Chord errors may change depths and distances by up to %1 %2.")
             .arg(numberText(roundedUp(unit.shown(chordError))), unit.name);
}

QString StatusLine::limitsTip(const LiveAnswer& answer, std::size_t mostParts) const {
  const InterferenceReport& report = *answer.report;
  QStringList lines;
  if (answer.options->verdict) lines << tr("Clashes and contacts are counted in pairs of parts.");
  if (const QString shapes = shapesTip(answer); !shapes.isEmpty()) lines << shapes;
  if (report.excludedPairs + report.unselectedPairs > 0)
    lines << tr("Pairs of parts with overlapping boxes: %1 checked, %2 left out by rules, %3 outside the "
                "selected scope.")
                 .arg(report.narrowPairs)
                 .arg(report.excludedPairs)
                 .arg(report.unselectedPairs);
  if (const std::size_t hidden = document_.session()->state().hidden.size(); hidden > 0)
    lines << countText(hidden, tr("hidden part is checked too."), tr("hidden parts are checked too."));
  if (!report.openParts.empty()) {
    lines << translated(openPartsText(report.openParts.size())) + ":";
    const Assembly& assembly = document_.session()->assembly();
    std::size_t listed = 0;
    for (const PartId part : report.openParts) {
      if (++listed > mostParts) {
        lines << tr("... and %1 more: click here to see all").arg(report.openParts.size() - mostParts);
        break;
      }
      lines << shown(assembly.part(part).name());
    }
    lines << tr("Depths in an open part are lower bounds.");
  }
  return lines.join('\n');
}

void StatusLine::showWholeVerdict() {
  const LiveAnswer& answer = document_.check().answer();
  if (document_.session() == nullptr || !answer.report) return;
  showText(window(), tr("Result of the check"),
           verdict_->text() + QLatin1Char('\n') + limitsTip(answer, answer.report->openParts.size()));
}

void StatusLine::showVerdict() {
  const LiveCheck& check = document_.check();
  const LiveAnswer& answer = check.answer();
  QString text, tip;
  bool urgent = false;
  if (!answer.error.empty()) {
    text = tr("not checked");
  } else if (!answer.report) {
    text = check.isChecking() ? tr("checking...") : tr("not checked");
  } else {
    const InterferenceReport& report = *answer.report;
    text = foundText(report) + shapesText(answer) + facesText(answer) + limitsText(answer);
    constexpr std::size_t mostParts = 10;
    tip = limitsTip(answer, mostParts);
    if (report.status != ReportStatus::complete || !report.isDecided()) text += tr(", not complete");
    urgent = report.needsAction();
    if (check.isCatchingUp()) text = tr("so far: %1").arg(text);
  }
  verdict_->tell(text, tip);
  // Qt parses and applies a style sheet each time it is set.
  const QString style =
      urgent ? QStringLiteral("color: %1; font-weight: %2;")
                   .arg(warningColour(palette()).name(),
                        check.isCatchingUp() ? QStringLiteral("normal") : QStringLiteral("bold"))
             : QString();
  if (style != verdict_->styleSheet()) verdict_->setStyleSheet(style);
}

void StatusLine::changeEvent(QEvent* event) {
  QStatusBar::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) showVerdict();
}

}  // namespace fitup::viewer
