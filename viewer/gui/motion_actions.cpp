#include <viewer/gui/motion_actions.h>

#include <QAbstractButton>
#include <QApplication>
#include <QKeyEvent>

#include <viewer/gui/model_action.h>
#include <viewer/gui/save_dialog.h>
#include <viewer/gui/time_line.h>

namespace fitup::viewer {

MotionActions::MotionActions(Document& document, TimeLine& timeLine, QObject* parent)
    : QObject(parent), document_(document), timeLine_(timeLine) {
  qApp->installEventFilter(this);
}

bool MotionActions::eventFilter(QObject* object, QEvent* event) {
  // A check box or button that has the focus takes the blank, not the motion.
  if (event->type() == QEvent::ShortcutOverride && qobject_cast<QAbstractButton*>(object) != nullptr) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier) {
      event->accept();
      return true;
    }
  }
  return QObject::eventFilter(object, event);
}

void MotionActions::addTo(QMenu& menu) {
  ShownMotion& motion = document_.motion();
  const auto add = [&](QMenu& to, const QString& text, const QString& key, const QString& tip, auto* receiver,
                       auto slot) {
    withModel(withTip(to.addAction(text, QKeySequence(key), receiver, slot), tip), document_);
  };
  add(menu, tr("&Play or pause"), tr("Space"), tr("The motion, from where it stands"), this,
      [this] { timeLine_.play(!timeLine_.isPlaying()); });
  add(menu, tr("&Record or stop"), tr("Ctrl+R"), tr("Poses of the selected parts while they are dragged"),
      &timeLine_, &TimeLine::toggleRecording);
  add(menu, tr("Record a &key pose"), tr("K"), tr("Where the parts stand becomes a step of what is recorded"),
      &timeLine_, &TimeLine::addKeyPose);
  QMenu& edits = *menu.addMenu(tr("&Edit the motion"));
  add(edits, tr("&Insert where the parts stand"), tr("Ins"), tr("As a step behind this one"), &motion,
      &ShownMotion::insertPose);
  add(edits, tr("&Delete this step"), tr("Ctrl+Del"), tr("Goes straight from the last step to the next one"),
      &motion, &ShownMotion::removeStep);
  add(edits, tr("This step &later"), tr("Ctrl+Shift+Right"), tr("It changes places with the next one"), this,
      [&motion] { motion.moveStep(1); });
  add(edits, tr("This step &earlier"), tr("Ctrl+Shift+Left"), tr("It changes places with the one before"),
      this, [&motion] { motion.moveStep(-1); });
  add(edits, tr("&Reverse the motion"), tr("Ctrl+Shift+B"), tr("The last step becomes the first one"),
      &motion, &ShownMotion::reverse);
  timeLine_.setEditMenu(edits);
  menu.addSeparator();
  add(menu, tr("&Find clashes"), tr("Ctrl+F"), tr("Checks all steps in the background and charts them"),
      &motion, &ShownMotion::check);
  add(menu, tr("Next step with a clash"), tr("Ctrl+Right"), tr("After this step"), this,
      [this] { timeLine_.goToClash(1); });
  add(menu, tr("Last step with a clash"), tr("Ctrl+Left"), tr("Before this step"), this,
      [this] { timeLine_.goToClash(-1); });
  add(menu, tr("Show or hide the &contact map"), tr("M"),
      tr("Paints faces by the step of their first contact"), this,
      [&motion] { motion.showMap(!motion.isMapWanted()); });
  menu.addSeparator();
  add(menu, tr("&Save the motion..."), tr("Ctrl+M"), tr("As a track"), &timeLine_, &TimeLine::saveTrack);
  add(menu, tr("Save the contact &map..."), tr("Ctrl+Shift+M"), tr("As CSV or JSON"), this,
      &MotionActions::saveMap);
}

void MotionActions::saveMap() {
  const QString file = askWhereToSave(&timeLine_, tr("Save the contact map"), QStringLiteral("contacts.csv"),
                                      tr("Tables (*.csv *.json)"), QStringLiteral("csv"));
  if (!file.isEmpty()) document_.motion().saveMap(file.toStdString());
}

}  // namespace fitup::viewer
