#include <viewer/gui/motion_actions.h>

#include <QFileDialog>

#include <viewer/gui/model_action.h>
#include <viewer/gui/time_line.h>

namespace fitup::viewer {

MotionActions::MotionActions(Document& document, TimeLine& timeLine, QObject* parent)
    : QObject(parent), document_(document), timeLine_(timeLine) {}

void MotionActions::addTo(QMenu& menu) {
  ShownMotion& motion = document_.motion();
  const auto add = [&](QMenu& to, const QString& text, const QString& key, auto* receiver, auto slot) {
    withModel(to.addAction(text, QKeySequence(key), receiver, slot), document_);
  };
  add(menu, tr("&Play or pause"), tr("Space"), this, [this] { timeLine_.play(!timeLine_.isPlaying()); });
  add(menu, tr("&Record or stop"), tr("Ctrl+R"), &timeLine_, &TimeLine::toggleRecording);
  add(menu, tr("Record a &key pose"), tr("K"), &timeLine_, &TimeLine::addKeyPose);
  QMenu& edits = *menu.addMenu(tr("&Edit the motion"));
  add(edits, tr("&Insert where the parts stand"), tr("Ins"), &motion, &ShownMotion::insertPose);
  add(edits, tr("&Delete this step"), tr("Ctrl+Del"), &motion, &ShownMotion::removeStep);
  add(edits, tr("This step &later"), tr("Ctrl+Shift+Right"), this, [&motion] { motion.moveStep(1); });
  add(edits, tr("This step &earlier"), tr("Ctrl+Shift+Left"), this, [&motion] { motion.moveStep(-1); });
  add(edits, tr("&Reverse the motion"), {}, &motion, &ShownMotion::reverse);
  timeLine_.setEditMenu(edits);
  menu.addSeparator();
  add(menu, tr("&Find clashes"), {}, &motion, &ShownMotion::check);
  add(menu, tr("Next step with a clash"), tr("Ctrl+Right"), this, [this] { timeLine_.goToClash(1); });
  add(menu, tr("Last step with a clash"), tr("Ctrl+Left"), this, [this] { timeLine_.goToClash(-1); });
  add(menu, tr("Show or hide the &contact map"), tr("M"), this,
      [&motion] { motion.showMap(!motion.isMapWanted()); });
  menu.addSeparator();
  add(menu, tr("&Save the motion..."), {}, &timeLine_, &TimeLine::saveTrack);
  add(menu, tr("Save the contact &map..."), {}, this, &MotionActions::saveMap);
}

void MotionActions::saveMap() {
  const QString file = QFileDialog::getSaveFileName(
      &timeLine_, tr("Save the contact map"), QStringLiteral("contacts.csv"), tr("Tables (*.csv *.json)"));
  if (!file.isEmpty()) document_.motion().saveMap(file.toStdString());
}

}  // namespace fitup::viewer
