#include <viewer/gui/tool_bars.h>

#include <QActionGroup>
#include <QHelpEvent>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>
#include <QToolTip>

#include <viewer/gui/commands.h>
#include <viewer/gui/icons.h>
#include <viewer/gui/menu_entries.h>
#include <viewer/gui/menu_groups.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

/// Returns the command's name with its keys, and what it does.
QString buttonTip(const QAction& action) {
  const QString name = withoutMnemonic(action.text()).remove(QStringLiteral("..."));
  const QString keys = keysText(QKeySequence::listToString(action.shortcuts()));
  return keys.isEmpty() ? QStringLiteral("%1\n%2").arg(name, action.toolTip())
                        : QStringLiteral("%1 (%2)\n%3").arg(name, keys, action.toolTip());
}

/// Shows tooltips for buttons without a text. Those of their actions are made for menus, which show names and
/// keys themselves.
class ButtonTips : public QObject {
 public:
  using QObject::QObject;

  bool eventFilter(QObject* object, QEvent* event) override {
    auto* button = qobject_cast<QToolButton*>(object);
    if (event->type() != QEvent::ToolTip || button->defaultAction() == nullptr) return false;
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                       tipOf(buttonTip(*button->defaultAction())), button);
    return true;
  }
};

class ToolBars {
 public:
  ToolBars(MainWindow& window, const Commands& commands)
      : window_(window), commands_(commands), tips_(new ButtonTips(&window)) {}

  QToolBar& add(const char* name, const QString& title) {
    QToolBar& bar = *window_.addToolBar(title);
    bar.setObjectName(name);
    bar.setIconSize({24, 24});
    return bar;
  }

  void fill(QToolBar& bar, std::initializer_list<const char*> ids,
            Qt::ToolButtonStyle style = Qt::ToolButtonIconOnly) {
    commands_.addTo(bar, ids);
    for (const std::string id : ids) {
      if (id.empty()) continue;
      auto* button = qobject_cast<QToolButton*>(bar.widgetForAction(&commands_.action(id)));
      button->setToolButtonStyle(style);
      // A window of 1024 pixels has no room for the long one.
      if (id == "mode stop") button->defaultAction()->setIconText(MainWindow::tr("Stop"));
      button->installEventFilter(tips_);
    }
  }

  /// Adds a button that opens a menu. Its icon is that of the present choice, or else of the first command.
  void addMenu(QToolBar& bar, const char* name, const QString& title, const QString& tip,
               std::initializer_list<std::initializer_list<const char*>> groups) {
    auto* button = new QToolButton;
    auto* menu = new QMenu(button);
    for (const auto& ids : groups) commands_.addTo(*menu, ids);
    menu->setToolTipsVisible(true);
    button->setObjectName(name);
    button->setText(title);
    button->setAccessibleName(title);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setAutoRaise(true);
    const auto follow = [menu, button, title, tip] {
      QString now = title;
      for (const QAction* action : menu->actions())
        if (action->isChecked() && action->actionGroup() != nullptr) {
          button->setIcon(action->icon());
          now = QStringLiteral("%1: %2").arg(title, withoutMnemonic(action->text()));
        }
      button->setToolTip(tipOf(QStringLiteral("%1\n%2").arg(now, tip)));
    };
    button->setIcon(commandIcon(*groups.begin()->begin()));
    for (QAction* action : menu->actions())
      if (!action->isSeparator()) QObject::connect(action, &QAction::toggled, button, follow);
    follow();
    bar.addWidget(button);
  }

 private:
  MainWindow& window_;
  const Commands& commands_;
  ButtonTips* tips_;
};

}  // namespace

void addToolBars(MainWindow& window, const Commands& commands) {
  ToolBars bars(window, commands);
  bars.fill(bars.add("File", MainWindow::tr("File")), {"open", "save", "undo", "redo"});
  bars.fill(bars.add("Selection", MainWindow::tr("Selection")), {"isolate", "hide", "ghost", "show-all"});

  QToolBar& view = bars.add("View", MainWindow::tr("View"));
  bars.fill(view, {"frame"});
  bars.addMenu(view, "sides", MainWindow::tr("Sides"), MainWindow::tr("Views the model from a side"),
               {sideIds});
  bars.addMenu(view, "display", MainWindow::tr("Display"), MainWindow::tr("How faces and edges are drawn"),
               {displayIds, {"", "dim", "paint-faces"}});
  bars.addMenu(view, "projection", MainWindow::tr("Projection"),
               MainWindow::tr("Whether what is farther away is smaller"),
               {{"projection orthographic", "projection perspective"}});
  bars.fill(view, {"section toggle", "explode", "measuring", "mate"});

  QToolBar& checks = bars.add("Drag mode", MainWindow::tr("Drag mode and checks"));
  bars.fill(checks, {"mode off"});
  bars.fill(checks, {"mode detect", "mode stop", "mode slide"}, Qt::ToolButtonTextBesideIcon);
  // Without a separator, which a window of 1024 pixels has no room for.
  bars.fill(checks, {"check", "verdicts", "tolerance"});
}

}  // namespace fitup::viewer
