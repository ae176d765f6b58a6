#include <viewer/gui/window_layout.h>

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QProxyStyle>
#include <QScopedValueRollback>
#include <QSettings>
#include <QTabBar>

#include <viewer/gui/interference_table.h>
#include <viewer/gui/main_window.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

/// Incremented when panels or tool bars of other names make older states useless.
constexpr int stateVersion = 1;
constexpr int defaultWidth = 300, defaultTableHeight = 150, defaultMotionHeight = 130;

const char *const stateKey = "windowState", *const tableHeightKey = "layout/tableHeight",
                  *const motionKey = "layout/motionDecided";

/// The style of the application with less space beside the texts of tabs.
class CompactTabs : public QProxyStyle {
 public:
  CompactTabs() : QProxyStyle(QApplication::style()->name()) {}
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
    const int usual = QProxyStyle::pixelMetric(metric, option, widget);
    return metric == PM_TabBarTabHSpace ? usual / 2 : usual;
  }
};

/// Lets all tabs be read in a narrow column.
void makeCompact(QTabBar& tabs) {
  tabs.setElideMode(Qt::ElideNone);
  tabs.setAccessibleName(tr("Panels"));
  auto* style = new CompactTabs;
  style->setParent(&tabs);
  tabs.setStyle(style);
}

}  // namespace

WindowLayout::WindowLayout(MainWindow& window)
    : QObject(&window),
      window_(window),
      findings_(window.findChild<QDockWidget*>("Interference")),
      motion_(window.findChild<QDockWidget*>("Motion")),
      tableHeight_(defaultTableHeight) {
  for (auto* tabs : window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) makeCompact(*tabs);
  setMotionOpen(false);
  setCollapsed(true);
  setDefaultSizes();
  defaultState_ = window.saveState(stateVersion);
  window.installEventFilter(this);
  motion_->installEventFilter(this);
  connectModel();
}

void WindowLayout::connectModel() {
  Document& document = window_.document();
  connect(&document, &Document::opened, this, [this] {
    isOtherModel_ = true;
    followMotion(true);
  });
  connect(&document.motion(), &ShownMotion::trackChanged, this, [this] { followMotion(false); });
  connect(&window_.drag(), &DragController::recordingChanged, this, [this] { followMotion(false); });
  connect(&document.check(), &LiveCheck::answered, this, &WindowLayout::followFindings);
  connect(&window_.drag(), &DragController::ended, this, &WindowLayout::followFindings);
}

void WindowLayout::setDefaultSizes() {
  auto *parts = window_.findChild<QDockWidget*>("Parts"), *move = window_.findChild<QDockWidget*>("Move");
  window_.resizeDocks({parts}, {defaultWidth}, Qt::Horizontal);
  window_.resizeDocks({parts, move}, {1000, 1000}, Qt::Vertical);  // half of the height each
  if (!isCollapsed_) window_.resizeDocks({findings_}, {tableHeight_}, Qt::Vertical);
  if (!motion_->isHidden()) window_.resizeDocks({motion_}, {defaultMotionHeight}, Qt::Vertical);
}

void WindowLayout::reset() {
  const QScopedValueRollback own(isOwnChange_, true);
  isMotionDecided_ = false;
  tableHeight_ = defaultTableHeight;
  window_.restoreState(defaultState_, stateVersion);
  setCollapsed(window_.table().model().rowCount() == 0);
  followMotion(true);
  setDefaultSizes();
}

void WindowLayout::remember() const {
  QSettings settings;
  settings.setValue(stateKey, window_.saveState(stateVersion));
  settings.setValue(motionKey, isMotionDecided_);
  settings.setValue(tableHeightKey, isCollapsed_ ? tableHeight_ : findings_->height());
}

void WindowLayout::recall() {
  const QScopedValueRollback own(isOwnChange_, true);
  const QSettings settings;
  window_.restoreState(settings.value(stateKey).toByteArray(), stateVersion);
  isMotionDecided_ = settings.value(motionKey).toBool();
  const int height = settings.value(tableHeightKey).toInt();
  if (height > 0 && height < window_.height()) tableHeight_ = height;
  // It was open for a motion that is not there yet.
  if (!isMotionDecided_) setMotionOpen(false);
}

void WindowLayout::followMotion(bool isOtherModel) {
  if (isMotionDecided_) return;
  const bool isNeeded = window_.drag().isRecording() ||
                        (window_.document().session() != nullptr && window_.document().motion().track());
  if (isNeeded)
    setMotionOpen(true);
  else if (isOtherModel)
    setMotionOpen(false);
}

void WindowLayout::setMotionOpen(bool open) {
  if (motion_->isHidden() != open) return;
  const QScopedValueRollback own(isOwnChange_, true);
  motion_->setVisible(open);
  if (open) window_.resizeDocks({motion_}, {defaultMotionHeight}, Qt::Vertical);
}

// Findings come and go while a part is dragged, and the view must not change its size then. So the table
// keeps the space that it has once got, until another model is opened.
void WindowLayout::followFindings() {
  if (window_.drag().isActive() || window_.document().session() == nullptr) return;
  const bool isEmpty = window_.table().model().rowCount() == 0;
  if (!isEmpty || (isOtherModel_ && window_.document().check().answer().report)) {
    isOtherModel_ = false;
    setCollapsed(isEmpty);
  }
}

void WindowLayout::setCollapsed(bool collapsed) {
  if (collapsed == isCollapsed_) return;
  isCollapsed_ = collapsed;
  InterferenceTable& table = window_.table();
  if (collapsed && findings_->isVisible()) tableHeight_ = findings_->height();
  table.view().setVisible(!collapsed);
  table.setMaximumHeight(collapsed ? table.minimumSizeHint().height() : QWIDGETSIZE_MAX);
  if (!collapsed) window_.resizeDocks({findings_}, {tableHeight_}, Qt::Vertical);
}

bool WindowLayout::eventFilter(QObject* object, QEvent* event) {
  const bool isChosen = event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent;
  if (object == motion_ && isChosen && !isOwnChange_) isMotionDecided_ = true;
  // Qt makes a tab bar whenever panels come to lie behind each other.
  if (object == &window_ && event->type() == QEvent::ChildPolished)
    if (auto* tabs = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child())) makeCompact(*tabs);
  return QObject::eventFilter(object, event);
}

}  // namespace fitup::viewer
