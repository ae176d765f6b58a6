// Tests that every text of the window can be translated, and the languages.
#include <catch2/catch.hpp>

#include <map>
#include <set>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSettings>
#include <QTabBar>
#include <QTextDocument>
#include <QTextEdit>

#include <fitup/io/model_cache.h>
#include <fitup_field/field_kinds.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/language.h>
#include <viewer/gui/library_texts.h>
#include <viewer/gui/number_field.h>
#include <viewer/gui/remembered_settings.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/shown_text.h>

#include "support/placements.h"
#include "viewer/gui/rules_bench.h"
#include "viewer/gui/window_session.h"

namespace language_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

std::set<QString> wordsIn(std::string_view text) {
  static const QRegularExpression word(QStringLiteral("\\p{L}{2,}"));
  std::set<QString> words;
  for (auto matches = word.globalMatch(QString::fromStdString(std::string(text))); matches.hasNext();)
    words.insert(matches.next().captured());
  return words;
}

/// The words of all names in the model, and of its file.
std::set<QString> wordsOf(const Document& document) {
  std::set<QString> words = wordsIn(document.session()->modelFiles().front().string());
  const Assembly& assembly = document.session()->assembly();
  for (const NodeId node : assembly.instances()) {
    words.merge(wordsIn(assembly.path(node)));
    for (const Surface& surface : assembly.meshOf(node).surfaces()) words.merge(wordsIn(surface.name));
  }
  return words;
}

/// All texts that widgets show, with where they are.
class ShownTexts {
 public:
  void collect(QWidget& widget) {
    add(widget, widget.toolTip());
    add(widget, widget.statusTip());
    add(widget, widget.accessibleName());
    add(widget, widget.accessibleDescription());
    if (widget.isWindow()) add(widget, widget.windowTitle());
    for (const QAction* action : widget.actions()) {
      add(widget, action->text());
      add(widget, action->toolTip());
    }
    if (const auto* label = qobject_cast<QLabel*>(&widget)) add(widget, label->text());
    if (const auto* button = qobject_cast<QAbstractButton*>(&widget)) add(widget, button->text());
    if (const auto* box = qobject_cast<QGroupBox*>(&widget)) add(widget, box->title());
    if (const auto* dock = qobject_cast<QDockWidget*>(&widget)) add(widget, dock->windowTitle());
    if (const auto* line = qobject_cast<QLineEdit*>(&widget)) add(widget, line->placeholderText());
    if (const auto* text = qobject_cast<QTextEdit*>(&widget)) add(widget, text->toPlainText());
    if (const auto* text = qobject_cast<QPlainTextEdit*>(&widget)) add(widget, text->toPlainText());
    if (const auto* field = qobject_cast<QDoubleSpinBox*>(&widget)) add(widget, field->suffix());
    if (const auto* box = qobject_cast<QComboBox*>(&widget))
      for (int i = 0; i < box->count(); ++i) add(widget, box->itemText(i));
    if (const auto* tabs = qobject_cast<QTabBar*>(&widget))
      for (int i = 0; i < tabs->count(); ++i) add(widget, tabs->tabText(i));
    if (const auto* view = qobject_cast<QAbstractItemView*>(&widget);
        view != nullptr && view->model() != nullptr)
      collect(widget, *view->model(), {});
    for (QObject* child : widget.children())
      if (auto* inner = qobject_cast<QWidget*>(child)) collect(*inner);
  }

  /// Texts with a word that is as in English, except words of the model and names that every language shares.
  [[nodiscard]] QStringList untranslated(std::set<QString> words) const {
    words.merge(std::set<QString>{"Fitup", "OpenSceneGraph", "Qt", "Boost", "Open", "CASCADE", "STEP", "IGES",
                                  "BREP", "English", "Deutsch", "mm", "ms"});
    for (const HierarchyKind kind : field::allHierarchyKinds()) words.merge(wordsIn(name(kind)));
    QStringList found;
    for (const auto& [text, where] : texts_)
      for (const QString& each : wordsIn(text.toStdString()))
        // The pseudo language leaves no word that has one of its letters as it is.
        if (!words.contains(each) && !pseudoText(each).contains(each)) {
          found << where + ": " + text + "  (" + each + ')';
          break;
        }
    return found;
  }

 private:
  void collect(const QWidget& widget, const QAbstractItemModel& model, const QModelIndex& parent) {
    for (int column = 0; column < model.columnCount(parent); ++column)
      for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
        add(widget, model.headerData(column, Qt::Horizontal, role).toString());
    for (int row = 0; row < model.rowCount(parent); ++row)
      for (int column = 0; column < model.columnCount(parent); ++column) {
        const QModelIndex index = model.index(row, column, parent);
        for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole, Qt::StatusTipRole})
          add(widget, index.data(role).toString());
        if (column == 0) collect(widget, model, index);
      }
  }

  void add(const QWidget& widget, const QString& text) {
    QString plain = text;
    if (Qt::mightBeRichText(text)) {
      QTextDocument document;
      document.setHtml(text);
      plain = document.toPlainText();
    }
    if (!plain.isEmpty())
      texts_.emplace(plain,
                     QString::fromLatin1(widget.metaObject()->className()) + ' ' + widget.objectName());
  }

  std::map<QString, QString> texts_;
};

}  // namespace

TEST_CASE("every text of the window can be translated", "[gui][language]") {
  const Translation pseudo(Language::pseudo);
  const RulesBench bench;
  WindowSession gui;
  ShownTexts texts;
  texts.collect(gui.window);
  gui.open(bench.file);
  std::set<QString> words = wordsOf(gui.document);
  for (const char* line : {"verdicts on",
                           "tolerance 0.01",
                           "select base",
                           "panel Properties",
                           "select-face base 0",
                           "measure base 0",
                           "measure deep 0",
                           "panel Measure",
                           "section box",
                           "panel Section",
                           "rule add base deep ignore",
                           "check on",
                           "record on",
                           "move 1 0 0",
                           "move 1 0 0",
                           "record off",
                           "find-clashes",
                           "contact-map on",
                           "explode 0.5",
                           "panel Move",
                           "panel Expert",
                           "distance on",
                           "mates on",
                           "keys",
                           "preferences",
                           "palette",
                           "tour"}) {
    CAPTURE(line);
    CHECK(gui.run({}, {line}) == "");
    gui.settle();
    texts.collect(gui.window);
  }
  for (const QWidget* widget : QApplication::topLevelWidgets()) texts.collect(*const_cast<QWidget*>(widget));
  words.merge(wordsOf(gui.document));  // the sample of the tour
  words.merge(wordsIn(ModelCache().folder().string()));
  const QStringList found = texts.untranslated(words);
  CHECK(found.join('\n').toStdString() == "");
}

TEST_CASE("German replaces the texts, and keeps keys, names and what scripts print", "[gui][language]") {
  const Translation german(Language::german);
  TwoBoxes boxes({}, shift(0, 3, 0));
  const Commands& commands = boxes.gui.window.commands();
  CHECK(commands.action("isolate").text().toStdString() == "&Isolieren");
  CHECK(commands.action("isolate").shortcut() == QKeySequence(Qt::Key_I));
  CHECK(commands.action("save").shortcut() == QKeySequence(Qt::CTRL | Qt::Key_S));
  CHECK(commands.action("delete-step").shortcut() == QKeySequence(Qt::CTRL | Qt::Key_Delete));
  CHECK(boxes.gui.run({}, {"finding", "finding status approved", "expect-findings 20"}) == "");
  CHECK(boxes.gui.run({}, {"step 1"}) == "session, line 1: there is no motion");
}

TEST_CASE("texts of the library are translated with what they say it of", "[gui][language]") {
  CHECK(translated("at 50 %1").toStdString() == "at 50 %1");  // unknown
  const Translation pseudo(Language::pseudo);
  CHECK(translated("clash").toStdString() == "⟦çĺášh~~⟧");
  CHECK(translated("face 3 (cylinder d 8.5) 'bore %1'").toStdString() ==
        "⟦fáçé 3 (⟦çýĺîñďéř ď 8.5~~~⟧) 'bore %1'~~⟧");
  CHECK(translated("Move %2 rod").toStdString() == "⟦Mövé %2 rod~~⟧");
  CHECK(translated("it could not be refined: no room").toStdString() ==
        "⟦îť çöûĺď ñöť bé řéfîñéď: no room~~~~~~~⟧");
}

TEST_CASE("every change that a command makes has a name that is translated", "[gui][language]") {
  TwoBoxes boxes({}, shift(0, 3, 0));
  const Translation pseudo(Language::pseudo);
  int names = 0;
  for (const auto& command : boxes.gui.window.commands().all()) {
    if (command->undoLabel.empty()) continue;
    ++names;
    CAPTURE(command->id, command->undoLabel);
    CHECK(translated(command->undoLabel) != shown(command->undoLabel));
  }
  CHECK(names > 10);
}

TEST_CASE("the language is remembered for the next start", "[gui][language]") {
  const struct Restored {
    ~Restored() {
      chooseLanguage(Language::system);
      QSettings().clear();
    }
  } restored;
  CHECK(recalledLanguage() == Language::system);
  WindowSession gui;
  CHECK(gui.run({}, {"language de"}) == "");
  CHECK(gui.window.commands().action("language de").isChecked());
  CHECK(gui.window.commands().action("isolate").text().toStdString() == "&Isolate");
  rememberSettings(gui.window);
  CHECK(recalledLanguage() == Language::german);
  CHECK(gui.run({}, {"language fr"}) != "");
}

}  // namespace language_tests
