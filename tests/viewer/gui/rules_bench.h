#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include <catch2/catch.hpp>

#include <fitup/io/rules_file.h>
#include <viewer/gui/rules_model.h>

#include "viewer/gui/window_session.h"

namespace fitup::test {

/// A base with a cube 2 deep in it ("deep") and one that touches it ("mated"), and an M8 bolt in its nut.
/// With depths, "base" and "deep" clash, and so do "bolt" and "nut".
class RulesBench {
 public:
  RulesBench();
  TemporaryFolder folder;
  std::filesystem::path file = folder / "bench.fitup";
};

/// The dialog's parts by the names of its widgets.
class RulesDialogUser {
 public:
  explicit RulesDialogUser(QDialog& dialog) : dialog_(dialog) {}
  template <typename Widget>
  [[nodiscard]] Widget& get(const char* name) const {
    auto* widget = dialog_.findChild<Widget*>(name);
    CAPTURE(name);
    REQUIRE(widget != nullptr);
    return *widget;
  }
  /// Types a text in place of what the field has.
  void type(const char* field, const QString& text) const {
    auto& line = get<QLineEdit>(field);
    line.setFocus();
    line.selectAll();
    QTest::keyClick(&line, Qt::Key_Delete);
    QTest::keyClicks(&line, text);
  }
  void choose(RuleAction action) const { get<QComboBox>("action").setCurrentIndex(static_cast<int>(action)); }
  void click(const char* button) const { get<QAbstractButton>(button).click(); }
  void select(int row) const { get<QTableView>("table").selectRow(row); }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const {
    QApplication::setActiveWindow(&dialog_);
    get<QTableView>("table").setFocus();
    QTest::keyClick(&get<QTableView>("table"), key, modifiers);
  }
  [[nodiscard]] const Rules& rules() const { return model().rules(); }
  [[nodiscard]] const viewer::RulesModel& model() const {
    return *dynamic_cast<viewer::RulesModel*>(get<QTableView>("table").model());
  }
  [[nodiscard]] std::string cell(int row, viewer::RulesModel::Column column) const {
    return model().index(row, column).data().toString().toStdString();
  }
  /// What stands beside a field; empty if nothing does.
  [[nodiscard]] std::string problem(const char* label) const {
    const auto& text = get<QLabel>(label);
    return text.isVisible() ? text.text().toStdString() : std::string();
  }
  [[nodiscard]] std::string message() const { return problem("message"); }
  [[nodiscard]] bool mayAccept() const {
    return dialog_.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled();
  }
  void accept() const { press(dialog_, QDialogButtonBox::Ok); }
  void cancel() const { press(dialog_, QDialogButtonBox::Cancel); }

 private:
  QDialog& dialog_;
};

/// Opens the dialog by its key and works in it, which has to end it.
void inRulesDialog(WindowSession& gui, const std::function<void(const RulesDialogUser&)>& work,
                   Qt::Key key = Qt::Key_L, Qt::KeyboardModifiers modifiers = Qt::ControlModifier);

const Rules& rulesOf(const WindowSession& gui);
/// Returns the row of the first finding of two parts; empty if there is none.
std::optional<int> rowOf(WindowSession& gui, const std::string& a, const std::string& b);
/// Returns true if the table shows a clash of the two parts.
bool clash(WindowSession& gui, const std::string& a, const std::string& b);

}  // namespace fitup::test
