#include <viewer/gui/command.h>

#include <algorithm>
#include <iterator>

#include <QStringList>

#include <fitup/base/error.h>

namespace fitup::viewer {

std::string Command::usage() const {
  std::string text = id, end;
  for (const Parameter& parameter : parameters) {
    const bool mayLack = parameter.times != Parameter::Times::once;
    text += (mayLack ? " [" : " ") + parameter.name;
    if (parameter.times == Parameter::Times::anyNumber) text += "...";
    if (mayLack) end += ']';
  }
  return text + end;
}

void Command::expect(const Words& arguments) const {
  using Times = Parameter::Times;
  const auto least = static_cast<std::size_t>(std::count_if(
      parameters.begin(), parameters.end(), [](const Parameter& p) { return p.times == Times::once; }));
  const bool isOpen = !parameters.empty() && parameters.back().times == Times::anyNumber;
  if (arguments.size() < least || (!isOpen && arguments.size() > parameters.size())) {
    // To users, the first word of the id is the command's name; the others are arguments.
    const auto spaces = static_cast<std::size_t>(std::count(id.begin(), id.end(), ' '));
    throw InputError("'" + id.substr(0, id.find(' ')) + "' has " + std::to_string(arguments.size() + spaces) +
                     " arguments");
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Parameter& parameter = parameters[std::min(i, parameters.size() - 1)];
    if (parameter.kind == Parameter::Kind::number) (void)numberOf(arguments[i]);
    if (parameter.kind == Parameter::Kind::count) (void)countOf(arguments[i]);
    if (parameter.kind != Parameter::Kind::choice) continue;
    const QStringList choices = QString::fromStdString(parameter.name).split('|');
    if (!choices.contains(QString::fromStdString(arguments[i])))
      throw InputError("'" + arguments[i] + "' is not one of " + choices.join(", ").toStdString());
  }
}

}  // namespace fitup::viewer
