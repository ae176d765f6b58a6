#include <viewer/gui/scope_text.h>

#include <viewer/core/check_scope.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

QString scopeText(const Assembly& assembly, const Rules& rules) {
  if (!rules.check) return {};
  const std::size_t parts = instancesInScope(assembly, rules).size();
  switch (scopeOf(rules).value_or(CheckScope::amongSelected)) {
    case CheckScope::withSelected:
      return tr("only pairs with %1").arg(countText(parts, tr("part"), tr("parts")));
    case CheckScope::amongSelected:
      break;
  }
  if (scopeOf(rules)) return tr("only pairs among %1").arg(countText(parts, tr("part"), tr("parts")));
  std::size_t others = 0;
  for (const NodeId node : assembly.instances()) others += rules.inSetB(assembly.path(node)) ? 1 : 0;
  return tr("only pairs of one of %1 and one of %2")
      .arg(countText(parts, tr("part"), tr("parts")), countText(others, tr("part"), tr("parts")));
}

}  // namespace fitup::viewer
