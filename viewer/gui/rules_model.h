#pragma once

#include <optional>
#include <vector>

#include <QAbstractTableModel>

#include <fitup/io/rules_file.h>
#include <viewer/core/rule_matches.h>
#include <viewer/gui/length_unit.h>

namespace fitup::viewer {

/// The rules of a check as a table that can be edited, in their order.
class RulesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { number, partsA, partsB, effect, requirements, pairs, reason, columns };

  RulesModel(Rules rules, LengthUnit unit, QObject* parent);
  [[nodiscard]] const Rules& rules() const noexcept { return rules_; }
  [[nodiscard]] const Rule& rule(int row) const { return rules_.rules.at(static_cast<std::size_t>(row)); }
  /// What files would refuse in the rule.
  [[nodiscard]] std::vector<RuleProblem> problems(int row) const {
    return problemsOf(rule(row), rules_.wholePaths);
  }
  /// The first row with a problem.
  [[nodiscard]] std::optional<int> firstProblem() const;

  void setRule(int row, const Rule& rule);
  void insert(int row, const Rule& rule);
  void remove(int row);
  /// Moves a rule one row up (-1) or down (1). Precondition: there is such a row.
  void move(int row, int by);
  void setRules(Rules rules);
  void setWholePaths(bool on);
  /// Shows the numbers of pairs for the rules as they are now; empty: not counted.
  void setCounts(std::optional<std::vector<RuleMatchCount>> counts);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 signals:
  /// The rules differ from what they were.
  void edited();

 private:
  [[nodiscard]] QString text(int row, int column) const;
  [[nodiscard]] QString tip(int row, int column) const;
  [[nodiscard]] QString countTip(int row) const;
  void touched(int first, int last);

  Rules rules_;
  LengthUnit unit_;
  std::optional<std::vector<RuleMatchCount>> counts_;
};

}  // namespace fitup::viewer
