#pragma once

#include <functional>
#include <string>
#include <vector>

#include <QString>

#include <viewer/gui/script_words.h>

namespace fitup::viewer {

struct SessionState;

/// A parameter of a command in scripts.
struct Parameter {
  enum class Kind { text, file, number, count, choice };
  enum class Times { once, optional, anyNumber };
  /// As in usages, such as "FILE"; the words of a choice are separated by '|'.
  std::string name;
  Kind kind = Kind::text;
  Times times = Times::once;
};
inline const Parameter onOrOff{"on|off", Parameter::Kind::choice};
inline bool isOn(const std::string& word) { return word == "on"; }

/// A command's entry in menus; empty for commands of scripts alone.
struct MenuEntry {
  QString text, keys, tip;  ///< keys are separated by "; "
};

/// An action of the user. Menus, keys, the tool bar and scripts share it.
struct Command {
  /// Each value includes the previous one. Without a selection or a motion, the menu entry does nothing.
  enum class Needs { nothing, model, selection, motion };
  using Execute = std::function<void(const Words& arguments)>;
  using Change = std::function<void(SessionState&, const Words& arguments)>;

  /// Unique. The words that begin its line in a script: "isolate", "view front".
  std::string id;
  MenuEntry entry;
  Needs needs = Needs::nothing;
  std::vector<Parameter> parameters;
  /// Executes the command. Gets arguments that match the parameters; throws Error for impossible ones. Unset:
  /// the command has only `ask`, in menus.
  Execute execute;
  /// The name of the change for undo; empty if the command does not change the session, or names the change
  /// itself.
  std::string undoLabel;
  /// The action of menus in place of `execute`: they ask for the arguments. Unset: nothing is asked, and a
  /// switch is toggled.
  std::function<void()> ask;
  /// Why the command cannot be executed at the moment, or empty; marked for translation (`QT_TRANSLATE_NOOP`
  /// in the context "fitup::viewer"). A script fails with this reason; the status bar shows it to who uses a
  /// menu or a key.
  std::function<std::string()> refusal;
  /// False disables the menu entry, as a missing model does.
  std::function<bool()> available;
  /// If set, menus show a check mark, or a bullet for one of several choices.
  std::function<bool()> checked;
  /// Replaces the text of the entry if it changes.
  std::function<QString()> currentText;
  /// Polled after `execute` in a script, which continues when it returns true.
  std::function<bool(const Words& arguments)> isDone;

  /// Returns the usage as in the manual: "move X Y Z [RX [RY [RZ]]]".
  [[nodiscard]] std::string usage() const;
  /// Throws InputError unless the number and kinds of arguments match the parameters.
  void expect(const Words& arguments) const;
};

}  // namespace fitup::viewer
