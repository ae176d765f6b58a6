#include <viewer/gui/view_actions.h>

#include <QActionGroup>
#include <QDockWidget>
#include <QInputDialog>

#include <viewer/core/section_handle.h>
#include <viewer/gui/model_action.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

ViewActions::ViewActions(Document& document, SceneView& view, QMainWindow& window)
    : QObject(&window),
      document_(document),
      view_(view),
      window_(window),
      dim_(new QAction(tr("&Dim parts without findings"), this)) {
  dim_->setCheckable(true);
  dim_->setToolTip(tr("Parts that no finding is about become ghosts"));
  dim_->setShortcut(QKeySequence(tr("D")));
  connect(dim_, &QAction::toggled, &view_, &SceneView::setDimOthers);
}

void ViewActions::addTo(QMenu& menu) {
  const auto add = [&](const QString& text, const QString& key, const QString& tip, auto* receiver,
                       auto slot) {
    withModel(withTip(menu.addAction(text, QKeySequence(key), receiver, slot), tip), document_);
  };
  add(tr("Show &all of it"), tr("F"), tr("All visible parts fit the view"), &view_, &SceneView::frameAll);
  add(tr("Zoom to the &selection"), tr("Z"), tr("The selected parts fit the view"), &view_,
      &SceneView::frameSelection);
  const std::pair<QString, StandardView> standard[] = {
      {tr("Isometric"), StandardView::isometric}, {tr("Front"), StandardView::front},
      {tr("Back"), StandardView::back},           {tr("Left"), StandardView::left},
      {tr("Right"), StandardView::right},         {tr("Top"), StandardView::top},
      {tr("Bottom"), StandardView::bottom}};
  int key = 1;
  for (const auto& [name, side] : standard)
    add(name, QString::number(key++), tr("Looks at the model from this side"), this,
        [this, side = side] { view_.look(side); });
  menu.addSeparator();
  add(tr("&Keep this view..."), tr("Ctrl+Shift+V"), tr("Under a name, in the project"), this,
      &ViewActions::keepView);
  named_ = menu.addMenu(tr("&Named views"));
  connect(named_, &QMenu::aboutToShow, this, &ViewActions::fillNamedViews);
  menu.addAction(dim_);
  menu.addSeparator();
  add(tr("&Cut the model or not"), tr("C"), tr("By the section plane, which is kept"), this,
      [this] { editSection([](SectionPlane& plane) { plane.enabled = !plane.enabled; }); });
  add(tr("Turn the cut about"), tr("X"), tr("What was cut away stays, what stayed is cut away"), this,
      [this] { editSection([](SectionPlane& plane) { plane = flipped(plane); }); });
  add(tr("Cut across the line of sight"), tr("Shift+C"), tr("Through the middle of the model"), this,
      &ViewActions::cutAcrossSight);
  menu.addSeparator();
  makeNavigation(*menu.addMenu(tr("Mouse na&vigation")));
  makePanels(*menu.addMenu(tr("&Panels")));
}

void ViewActions::makePanels(QMenu& menu) {
  int key = 1;
  for (QDockWidget* dock : window_.findChildren<QDockWidget*>()) {
    QAction* action =
        menu.addAction(dock->windowTitle(), QKeySequence(QStringLiteral("Alt+%1").arg(key++)), this, [dock] {
          // One that lies behind another one comes to the front first.
          if (dock->isVisible() && !dock->visibleRegion().isEmpty()) return dock->hide();
          dock->show();
          dock->raise();
          dock->widget()->setFocus();
        });
    action->setCheckable(true);
    action->setToolTip(tr("Brings the panel to the front, or puts it away"));
    connect(dock, &QDockWidget::visibilityChanged, action, &QAction::setChecked);
  }
}

void ViewActions::makeNavigation(QMenu& menu) {
  struct Choice {
    NavigationPreset preset;
    QString text, tip;
    QKeySequence key;
  };
  const Choice choices[] = {
      {NavigationPreset::cad, tr("&CAD"), tr("Middle or left drag turns, right drag shifts, wheel zooms"),
       QKeySequence(tr("Ctrl+Alt+1"))},
      {NavigationPreset::solidworks, tr("Like &SOLIDWORKS"),
       tr("Middle drag turns, with Ctrl shifts, with Shift zooms; the wheel towards you goes nearer"),
       QKeySequence(tr("Ctrl+Alt+2"))},
      {NavigationPreset::blender, tr("Like &Blender"),
       tr("Middle drag turns, with Shift shifts, with Ctrl zooms"), QKeySequence(tr("Ctrl+Alt+3"))}};
  auto* group = new QActionGroup(this);
  for (const Choice& choice : choices) {
    QAction* action = menu.addAction(choice.text, choice.key, this,
                                     [this, preset = choice.preset] { view_.setNavigation(preset); });
    action->setActionGroup(group);
    action->setCheckable(true);
    action->setToolTip(choice.tip);
    const auto follow = [this, action, preset = choice.preset] {
      action->setChecked(view_.navigation() == preset);
    };
    connect(&view_, &SceneView::navigationChanged, action, follow);
    follow();
  }
}

void ViewActions::editSection(const std::function<void(SectionPlane&)>& change) {
  document_.session()->edit("Section", [&](SessionState& state) { change(state.section); });
}

void ViewActions::cutAcrossSight() {
  const Session& session = *document_.session();
  const Vec3 normal = -view_.camera().forward();
  const Vec3 through = session.worldBounds(session.assembly().instances()).centre();
  editSection([&](SectionPlane& plane) { plane = {normal, dot(normal, through), true}; });
}

void ViewActions::fillNamedViews() {
  named_->clear();
  if (document_.session() == nullptr) return;
  for (const auto& [name, viewpoint] : document_.session()->state().namedViews)
    withTip(named_->addAction(menuText(shown(name)), this,
                              [this, viewpoint = viewpoint] { view_.setViewpoint(viewpoint); }),
            tipOf(shown(name)));
  if (named_->isEmpty()) named_->addAction(tr("(none)"))->setEnabled(false);
}

void ViewActions::keepView() {
  const QString name = QInputDialog::getText(&window_, tr("Keep this view"), tr("Name"));
  if (name.isEmpty()) return;
  document_.session()->edit("Keep a view", [&](SessionState& state) {
    state.namedViews[name.toStdString()] = view_.camera().viewpoint();
  });
}

}  // namespace fitup::viewer
