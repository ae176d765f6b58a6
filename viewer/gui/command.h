#pragma once

#include <functional>
#include <string>
#include <vector>

#include <QString>

#include <viewer/gui/script_words.h>

namespace fitup::viewer {

struct SessionState;

/// What a script gives a command behind its name.
struct Parameter {
  enum class Kind { text, file, number, count, choice };
  enum class Times { once, optional, anyNumber };
  /// As usages have it, such as "FILE"; the words of a choice, parted by '|'.
  std::string name;
  Kind kind = Kind::text;
  Times times = Times::once;
};
inline const Parameter onOrOff{"on|off", Parameter::Kind::choice};
inline bool isOn(const std::string& word) { return word == "on"; }

/// How menus show a command; nothing of one for scripts alone.
struct MenuEntry {
  QString text, keys, tip;  ///< keys are parted by "; "
};

/// One thing that a user can do. Menus, keys, the tool bar and scripts share it.
struct Command {
  /// Each one includes the one before it. Without a selection or a motion a menu does nothing.
  enum class Needs { nothing, model, selection, motion };
  using Execute = std::function<void(const Words& arguments)>;
  using Change = std::function<void(SessionState&, const Words& arguments)>;

  /// Unique. The words that begin its line in a script: "isolate", "view front".
  std::string id;
  MenuEntry entry;
  Needs needs = Needs::nothing;
  std::vector<Parameter> parameters;
  /// Does it. Gets arguments that fit the parameters; throws Error where they make no sense. Unset: there is
  /// nothing to do but `ask`, in menus alone.
  Execute execute;
  /// What undo calls what it does; empty where it is no change of the session, or one with a name of its own.
  std::string undoLabel;
  /// What menus do in place of it: ask for the arguments. Unset: nothing is asked, a switch is turned over.
  std::function<void()> ask;
  /// Why it can do nothing at the moment, or empty: a script fails by that, menus do nothing.
  std::function<std::string()> refusal;
  /// False greys it in menus, as a model does that it needs and that is not open.
  std::function<bool()> available;
  /// Set: menus show a mark, or a bullet where one of several is chosen.
  std::function<bool()> checked;
  /// Replaces the text of the entry, where that changes.
  std::function<QString()> currentText;
  /// Asked again and again after `execute` in a script, which goes on once this is true.
  std::function<bool(const Words& arguments)> isDone;

  /// As the manual has it: "move X Y Z [RX [RY [RZ]]]".
  [[nodiscard]] std::string usage() const;
  /// Throws InputError unless they are as many, and of the kinds, as the parameters say.
  void expect(const Words& arguments) const;
};

}  // namespace fitup::viewer
