#include "ascii_input.h"

#include <algorithm>

namespace fitup::importers {

std::string AsciiInput::where() const {
  const std::size_t to = std::min(at_, text_.size());
  lines_ += static_cast<std::size_t>(
      std::count(text_.begin() + static_cast<std::ptrdiff_t>(std::min(countedTo_, to)),
                 text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
  countedTo_ = std::max(countedTo_, to);
  return "line " + std::to_string(lines_);
}

std::string_view AsciiInput::peek() {
  at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
  end_ = std::min(text_.find_first_of(blanks, at_), text_.size());
  return text_.substr(at_, end_ - at_);
}

void AsciiInput::readMark(osgDB::ObjectMark& mark) {
  const std::string_view word = take();
  if (word != mark._name) fail("'" + std::string(word) + "' found where " + mark._name + " is expected");
  if (word == "{")
    open(last_, 0, 0);
  else
    close();
}

void AsciiInput::readWrappedString(std::string& text) {
  const std::string_view word = peek();
  if (word.empty()) fail("the file ends too early");
  if (!word.starts_with('"')) {
    text += word;
    return skip();
  }
  const std::size_t end = endOfWrapped(text_, at_, &text);
  if (end == std::string_view::npos) fail("the file ends within a text in quotes");
  at_ = end;
}

void AsciiInput::advanceToCurrentEndBracket() {
  const Block block = close();
  std::size_t depth = 0, previous = at_;
  bool isFirst = true, notes = true;
  for (;; previous = at_) {
    const std::string_view word = peek();
    if (word.empty()) fail("the file ends within " + block.name);
    if (word == "}" && depth == 0) return skip();
    const bool beginsLine = text_.substr(previous, at_ - previous).find('\n') != std::string_view::npos;
    if (notes && depth == 0 && (isFirst || beginsLine)) notes = noteUnread(block, word);
    isFirst = false;
    if (word == "{") ++depth;
    if (word == "}") --depth;
    if (word.starts_with('"')) {
      const std::size_t end = endOfWrapped(text_, at_, nullptr);
      if (end == std::string_view::npos) fail("the file ends within a text in quotes");
      at_ = end;
    } else {
      skip();
    }
  }
}

void AsciiInput::finish() {
  const std::string_view word = peek();
  if (!word.empty()) unread.add("file", "contents after the first object are not read", where());
}

}  // namespace fitup::importers
