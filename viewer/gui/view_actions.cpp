#include <viewer/gui/view_actions.h>

#include <QActionGroup>
#include <QDockWidget>
#include <QInputDialog>

#include <viewer/core/section_handle.h>
#include <viewer/gui/model_action.h>
#include <viewer/gui/scene_view.h>

namespace fitup::viewer {

ViewActions::ViewActions(Document& document, SceneView& view, QMainWindow& window)
    : QObject(&window),
      document_(document),
      view_(view),
      window_(window),
      dim_(new QAction(tr("&Dim parts without findings"), this)) {
  dim_->setCheckable(true);
  dim_->setShortcut(QKeySequence(tr("D")));
  connect(dim_, &QAction::toggled, &view_, &SceneView::setDimOthers);
}

void ViewActions::addTo(QMenu& menu) {
  withModel(menu.addAction(tr("Show &all of it"), QKeySequence(tr("F")), &view_, &SceneView::frameAll),
            document_);
  withModel(
      menu.addAction(tr("Zoom to the &selection"), QKeySequence(tr("Z")), &view_, &SceneView::frameSelection),
      document_);
  const std::pair<QString, StandardView> standard[] = {
      {tr("Isometric"), StandardView::isometric}, {tr("Front"), StandardView::front},
      {tr("Back"), StandardView::back},           {tr("Left"), StandardView::left},
      {tr("Right"), StandardView::right},         {tr("Top"), StandardView::top},
      {tr("Bottom"), StandardView::bottom}};
  int key = 1;
  for (const auto& [name, side] : standard)
    withModel(menu.addAction(name, QKeySequence(QString::number(key++)), this,
                             [this, side = side] { view_.look(side); }),
              document_);
  menu.addSeparator();
  named_ = menu.addMenu(tr("&Named views"));
  connect(named_, &QMenu::aboutToShow, this, &ViewActions::fillNamedViews);
  menu.addAction(dim_);
  menu.addSeparator();
  withModel(
      menu.addAction(tr("&Cut the model or not"), QKeySequence(tr("C")), this,
                     [this] { editSection([](SectionPlane& plane) { plane.enabled = !plane.enabled; }); }),
      document_);
  withModel(menu.addAction(tr("Turn the cut about"), QKeySequence(tr("X")), this,
                           [this] { editSection([](SectionPlane& plane) { plane = flipped(plane); }); }),
            document_);
  withModel(menu.addAction(tr("Cut across the line of sight"), this, &ViewActions::cutAcrossSight),
            document_);
  menu.addSeparator();
  makeNavigation(*menu.addMenu(tr("Mouse na&vigation")));
  panels_ = menu.addMenu(tr("&Panels"));
  connect(panels_, &QMenu::aboutToShow, this, &ViewActions::fillPanels);
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
  named_->addAction(tr("Keep this view..."), this, &ViewActions::keepView);
  named_->addSeparator();
  for (const auto& [name, viewpoint] : document_.session()->state().namedViews)
    named_->addAction(QString::fromStdString(name), this,
                      [this, viewpoint = viewpoint] { view_.setViewpoint(viewpoint); });
}

void ViewActions::keepView() {
  const QString name = QInputDialog::getText(&window_, tr("Keep this view"), tr("Name"));
  if (name.isEmpty()) return;
  document_.session()->edit("Keep a view", [&](SessionState& state) {
    state.namedViews[name.toStdString()] = view_.camera().viewpoint();
  });
}

void ViewActions::fillPanels() {
  panels_->clear();
  for (const QDockWidget* dock : window_.findChildren<QDockWidget*>())
    panels_->addAction(dock->toggleViewAction());
}

}  // namespace fitup::viewer
