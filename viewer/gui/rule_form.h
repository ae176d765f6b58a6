#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QWidget>

#include <fitup/io/rules_file.h>
#include <viewer/gui/length_unit.h>
#include <viewer/gui/number_field.h>

namespace fitup::viewer {

/// The fields of one rule. Problems stand below their fields.
class RuleForm : public QWidget {
  Q_OBJECT

 public:
  /// `size`: that of the model, which decides the decimals of the length.
  RuleForm(LengthUnit unit, double size, QWidget* parent = nullptr);
  /// Shows a rule; an empty one disables the form.
  void setRule(const std::optional<Rule>& rule);
  void showProblems(const std::vector<RuleProblem>& problems);
  /// Puts the cursor into the first pattern.
  void begin();

 signals:
  /// The user has changed the shown rule to this.
  void edited(const fitup::Rule& rule);

 private:
  struct Colour {
    QLineEdit* text = nullptr;
    QToolButton* pick = nullptr;
  };
  using SetText = void (*)(Rule& rule, const QString& text);
  /// Makes a field that sets a text of the rule, with the label for its problems in the row below.
  QLineEdit* makeText(int row, int column, const char* name, SetText set);
  QLineEdit* addText(int row, int column, const char* name, SetText set, int span = 1);
  void addColour(int row, int column, const char* name, SetText set, Colour& colour);
  void addAction(int row);
  void addProblem(int row, int column, std::initializer_list<const char*> fields);
  void pickColour(const Colour& colour);
  void showSwatch(const Colour& colour);
  void change(const std::function<void(Rule&)>& edit);
  void fitDecimals();

  QGridLayout* grid_;
  std::optional<Rule> rule_;
  LengthUnit unit_;
  double length_ = 0;  ///< in the model's unit; kept when the action has none for a while
  int decimals_;
  QLineEdit *patternA_ = nullptr, *patternB_ = nullptr, *partA_ = nullptr, *partB_ = nullptr,
            *layerA_ = nullptr, *layerB_ = nullptr, *reason_ = nullptr;
  Colour colourA_, colourB_;
  QComboBox* action_ = nullptr;
  NumberField* lengthField_ = nullptr;
  QCheckBox *sameSubassembly_ = nullptr, *thread_ = nullptr;
  std::map<std::string, QLabel*> problems_;  ///< by the field's name in files
};

}  // namespace fitup::viewer
