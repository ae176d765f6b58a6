#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <viewer/gui/main_window.h>

namespace fitup::viewer {

using Words = std::vector<std::string>;

/// A command of scripts (docs/user/viewer.md): how many arguments it has, and what it does. `run` gets the
/// whole line and throws Error where that makes no sense.
struct ScriptCommand {
  std::size_t least, most;
  std::function<void(MainWindow&, const Words&)> run;
};
/// Of the model that is open. Throws InputError if none is.
Session& sessionOf(MainWindow& window);
/// By name.
const std::map<std::string, ScriptCommand>& scriptCommands();

/// Words are parted by spaces; one in double quotes may have spaces in it, and two of its double quotes stand
/// for one. '#' begins a comment. Throws InputError for quotes that are not closed.
Words wordsOf(const std::string& line);
/// A word as a script has to write it, whatever is in it but ends of lines.
std::string quotedWord(const std::string& word);
/// Throws InputError unless the line has as many arguments.
void expectWords(const Words& words, std::size_t least, std::size_t most);
// In the C locale. Throw InputError for what is no number, or no count.
double numberOf(const std::string& text);
std::size_t countOf(const std::string& text);

}  // namespace fitup::viewer
