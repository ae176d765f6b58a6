#include <viewer/gui/commands.h>

#include <fitup/base/error.h>
#include <fitup/io/rules_file.h>
#include <viewer/core/rule_length.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/rules_dialog.h>

namespace fitup::viewer {
namespace {

/// Returns the rule of a script's words: two patterns, an action, and its length if it has one.
Rule ruleFrom(const Words& words, bool wholePaths) {
  Rule rule{.a = words[0], .b = words[1]};
  const RuleAction action = *ruleActionFromName(words[2]);  // a choice of the command
  if (hasLength(action) != (words.size() > 3))
    throw InputError(hasLength(action) ? "'" + words[2] + "' needs a length"
                                       : "'" + words[2] + "' has no length");
  setAction(rule, action, hasLength(action) ? numberOf(words[3]) : 0);
  for (const auto& [field, text] : problemsOf(rule, wholePaths)) throw InputError("rule", field, text);
  return rule;
}

}  // namespace

void Commands::addRules(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  using enum Parameter::Times;
  Document& document = w.document();
  const auto setRules = [&document](const std::string& label, const Rules& rules) {
    document.session()->edit(label, [&](SessionState& state) { state.rules = rules; });
  };
  const auto ask = [&w, setRules](const std::string& label, const std::optional<RuleSuggestion>& proposed) {
    // The running job may replace the model that the rules are for.
    if (w.document().hasJob()) throw InputError("rules cannot change while another task is running");
    if (const auto rules = askRules(&w, *w.document().session(), w.document().lengthUnit(), proposed))
      setRules(label, *rules);
  };
  const auto suggested = [&w] {
    const std::optional<Finding> finding = w.table().current();
    const auto& report = w.document().check().answer().report;
    if (!finding || !report) throw InputError("no finding is selected in the table");
    return suggestRule(*w.document().session(), *report, *finding);
  };

  const std::string label = "Change rules";
  Command& rules = addEdit(
      "rules",
      {tr("&Rules..."), "Ctrl+L", tr("Pairs that are not checked, may touch or overlap, or keep a distance")},
      model, {{"FILE", file}}, label,
      [](SessionState& state, const Words& words) { state.rules = readRules(words[0]); });
  rules.ask = [ask, label] { ask(label, {}); };
  const auto add = [](SessionState& state, const RuleSuggestion& added) {
    state.rules.rules.insert(state.rules.rules.begin() + static_cast<std::ptrdiff_t>(added.position),
                             added.rule);
  };
  addEdit("rule add", {}, model,
          {{"PATTERN"},
           {"PATTERN"},
           {"ignore|allowContact|allowOverlap|clearance", choice},
           {"LENGTH", number, optional}},
          label, [add](SessionState& state, const Words& words) {
            add(state, {ruleFrom(words, state.rules.wholePaths), state.rules.rules.size()});
          });
  addEdit("rule for-finding",
          {tr("Add r&ule for this pair..."), "L", tr("Allows what the selected row of the table has found")},
          model, {}, label, [add, suggested](SessionState& state, auto&) { add(state, suggested()); })
      .ask = [ask, suggested, label] { ask(label, suggested()); };
}

}  // namespace fitup::viewer
