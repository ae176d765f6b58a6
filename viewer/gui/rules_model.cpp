#include <viewer/gui/rules_model.h>

#include <utility>

#include <QBrush>
#include <QColor>
#include <QGuiApplication>

#include <viewer/gui/quantity_text.h>
#include <viewer/gui/rule_text.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/theme.h>

namespace fitup::viewer {

RulesModel::RulesModel(Rules rules, LengthUnit unit, QObject* parent)
    : QAbstractTableModel(parent), rules_(std::move(rules)), unit_(std::move(unit)) {}

std::optional<int> RulesModel::firstProblem() const {
  for (int row = 0; row < rowCount(); ++row)
    if (!problems(row).empty()) return row;
  return std::nullopt;
}

void RulesModel::touched(int first, int last) {
  counts_.reset();
  if (first <= last) emit dataChanged(index(first, 0), index(last, columns - 1));
  emit edited();
}

void RulesModel::setRule(int row, const Rule& rule) {
  rules_.rules.at(static_cast<std::size_t>(row)) = rule;
  touched(0, rowCount() - 1);  // the counts of the rules below depend on it
}

void RulesModel::insert(int row, const Rule& rule) {
  beginInsertRows({}, row, row);
  rules_.rules.insert(rules_.rules.begin() + row, rule);
  counts_.reset();
  endInsertRows();
  touched(0, rowCount() - 1);
}

void RulesModel::remove(int row) {
  beginRemoveRows({}, row, row);
  rules_.rules.erase(rules_.rules.begin() + row);
  counts_.reset();
  endRemoveRows();
  touched(0, rowCount() - 1);
}

void RulesModel::move(int row, int by) {
  // Qt wants the row before which the moved one comes to stand.
  beginMoveRows({}, row, row, {}, by > 0 ? row + by + 1 : row + by);
  std::swap(rules_.rules.at(static_cast<std::size_t>(row)),
            rules_.rules.at(static_cast<std::size_t>(row + by)));
  counts_.reset();
  endMoveRows();
  touched(0, rowCount() - 1);
}

void RulesModel::setRules(Rules rules) {
  beginResetModel();
  rules_ = std::move(rules);
  counts_.reset();
  endResetModel();
  emit edited();
}

void RulesModel::setWholePaths(bool on) {
  rules_.wholePaths = on;
  touched(0, rowCount() - 1);
}

void RulesModel::setCounts(std::optional<std::vector<RuleMatchCount>> counts) {
  counts_ = std::move(counts);
  if (rowCount() > 0) emit dataChanged(index(0, pairs), index(rowCount() - 1, pairs));
}

int RulesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rules_.rules.size());
}

int RulesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant RulesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::ToolTipRole && section == pairs)
    return tr("Pairs of parts in this model that the rule matches, wherever the parts are");
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {tr("#"),      tr("First parts (a)"), tr("Second parts (b)"),
                           tr("Action"), tr("Only if"),         tr("Pairs"),
                           tr("Reason")};
  return names[section];
}

QString RulesModel::text(int row, int column) const {
  const Rule& r = rule(row);
  switch (column) {
    case number:
      return QString::number(row + 1);
    case partsA:
      return shown(r.a);
    case partsB:
      return shown(r.b);
    case effect:
      return effectText(r, unit_);
    case requirements:
      return requirementsShown(r);
    case pairs: {
      if (!counts_) return QStringLiteral("-");
      const RuleMatchCount& count = counts_->at(static_cast<std::size_t>(row));
      return count.applying == count.matching ? QString::number(count.matching)
                                              : tr("%1 of %2").arg(count.applying).arg(count.matching);
    }
    default:
      return shown(r.reason);
  }
}

QString RulesModel::countTip(int row) const {
  if (!counts_) return tr("Not counted: the model has too many pairs of parts for so many rules");
  const RuleMatchCount& count = counts_->at(static_cast<std::size_t>(row));
  if (count.matching == 0) return tr("Matches no pair of parts of this model");
  const QString matched = countText(count.matching, tr("pair"), tr("pairs"));
  if (count.applying == count.matching) return tr("Matches %1 of parts").arg(matched);
  return tr("Matches %1 of parts, of which an earlier rule matches %2")
      .arg(matched)
      .arg(count.matching - count.applying);
}

QString RulesModel::tip(int row, int column) const {
  const std::vector<RuleProblem> found = problems(row);
  if (column == pairs && found.empty()) return countTip(row);
  if (found.empty()) return text(row, column);
  QStringList lines;
  for (const auto& [field, problem] : found)
    lines += QStringLiteral("%1: %2").arg(shown(field), shown(problem));
  return lines.join('\n');
}

QVariant RulesModel::data(const QModelIndex& index, int role) const {
  switch (role) {
    case Qt::DisplayRole:
      return text(index.row(), index.column());
    case Qt::ToolTipRole:
      return tipOf(tip(index.row(), index.column()));
    case Qt::ForegroundRole:
      return problems(index.row()).empty() ? QVariant()
                                           : QVariant(QBrush(warningColour(QGuiApplication::palette())));
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter |
                      (index.column() == number || index.column() == pairs ? Qt::AlignRight : Qt::AlignLeft));
    default:
      return {};
  }
}

}  // namespace fitup::viewer
