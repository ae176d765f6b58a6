#include "xml_input.h"

#include <algorithm>
#include <utility>

namespace fitup::importers {

XmlInput::XmlInput(std::string_view text) : text_(text) {
  // The root element is called Scene, which shows the kind of the file.
  if (!nextTag() || elements_.empty()) fail("holds no element");
}

std::string XmlInput::where() const {
  const std::size_t to = std::min(at_, text_.size());
  lines_ += static_cast<std::size_t>(
      std::count(text_.begin() + static_cast<std::ptrdiff_t>(std::min(countedTo_, to)),
                 text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
  countedTo_ = std::max(countedTo_, to);
  return "line " + std::to_string(lines_);
}

void XmlInput::skipBlanks() { at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); }

void XmlInput::skipBehind(std::string_view end) {
  const std::size_t found = text_.find(end, at_);
  if (found == std::string_view::npos) fail("the file ends where '" + std::string(end) + "' is expected");
  at_ = found + end.size();
}

bool XmlInput::nextTag() {
  if (isClosed_) {
    isClosed_ = false;
    elements_.pop_back();
  }
  for (;;) {
    skipBlanks();
    const std::string_view rest = text_.substr(at_);
    if (rest.empty()) {
      if (!elements_.empty()) fail("the file ends within " + elements_.back().name);
      return false;
    }
    if (rest.front() != '<') {
      unread.add(elements_.empty() ? "file" : elements_.back().name, "text within elements is not supported",
                 where());
      at_ = std::min(text_.find('<', at_), text_.size());
    } else if (rest.starts_with("<!--")) {
      skipBehind("-->");
    } else if (rest.starts_with("<?")) {
      skipBehind("?>");
    } else if (rest.starts_with("<!")) {
      fail("declarations and CDATA sections are not supported");
    } else if (rest.starts_with("</")) {
      const std::size_t end = rest.find('>');
      if (end == std::string_view::npos) fail("the file ends within a tag");
      std::string_view name = rest.substr(2, end - 2);
      while (!name.empty() && blanks.find(name.back()) != std::string_view::npos) name.remove_suffix(1);
      endElement(name);
      at_ += end + 1;
      return true;
    } else {
      beginElement();
      return true;
    }
  }
}

void XmlInput::endElement(std::string_view name) {
  if (elements_.empty() || elements_.back().name != name)
    fail("the end of " + std::string(name) + " stands where " +
         (elements_.empty() ? "none" : "that of " + elements_.back().name) + " is expected");
  elements_.pop_back();
}

void XmlInput::beginElement() {
  constexpr std::size_t deepest = 10'000;
  if (elements_.size() >= deepest) fail("nested too deeply");
  ++at_;
  skipBlanks();
  const std::size_t end = text_.find_first_of(" \t\n\r/>", at_);
  if (end == std::string_view::npos) fail("the file ends within a tag");
  const std::string name(text_.substr(at_, end - at_));
  at_ = end;
  pieces_ = {name, "", ""};
  if (const std::size_t dashes = name.find("--"); dashes != std::string::npos)
    pieces_[0].replace(dashes, 2, "::");
  elements_.push_back({name, begun_++});
  piece_ = wordAt_ = wordEnd_ = 0;
  for (;;) {
    skipBlanks();
    if (at_ >= text_.size()) fail("the file ends within a tag");
    if (text_[at_] == '>') break;
    if (text_.substr(at_).starts_with("/>")) {
      isClosed_ = true;
      ++at_;
      break;
    }
    const std::size_t nameEnd = text_.find_first_of(" \t\n\r/>=", at_);
    const std::string_view option = text_.substr(at_, nameEnd - at_);
    if (nameEnd == std::string_view::npos || option.empty()) fail("a tag of " + name + " is damaged");
    at_ = nameEnd;
    skipBlanks();
    if (at_ >= text_.size() || text_[at_] != '=') fail("an attribute of " + name + " has no value");
    ++at_;
    skipBlanks();
    std::string value = attributeValue();
    if (option == "attribute")
      pieces_[1] = std::move(value);
    else if (option == "text")
      pieces_[2] = std::move(value);
    else
      unread.add(name, "its attribute " + std::string(option.substr(0, 200)) + " is not read", where());
  }
  ++at_;
}

std::string XmlInput::attributeValue() {
  constexpr std::array<std::pair<std::string_view, char>, 6> entities{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&nl;", '\n'}}};
  const char quote = at_ < text_.size() ? text_[at_] : '\0';
  if (quote != '"' && quote != '\'') fail("the value of an attribute is not in quotes");
  const std::size_t end = text_.find(quote, at_ + 1);
  if (end == std::string_view::npos) fail("the file ends within the value of an attribute");
  const std::string_view raw = text_.substr(at_ + 1, end - at_ - 1);
  std::string value;
  value.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size();) {
    const std::size_t special = std::min(raw.find('&', i), raw.size());
    value += raw.substr(i, special - i);
    i = special;
    if (i == raw.size()) break;
    const auto entity = std::find_if(entities.begin(), entities.end(), [&](const auto& known) {
      return raw.substr(i).starts_with(known.first);
    });
    if (entity == entities.end()) fail("an entity is unknown");
    value += entity->second;
    i += entity->first.size();
  }
  at_ = end + 1;
  return value;
}

std::string_view XmlInput::peek() {
  for (;;) {
    for (; piece_ < pieces_.size(); ++piece_, wordAt_ = 0) {
      const std::string& piece = pieces_[piece_];
      wordAt_ = piece.find_first_not_of(blanks, wordAt_);
      if (wordAt_ == std::string::npos) continue;
      wordEnd_ = std::min(piece.find_first_of(blanks, wordAt_), piece.size());
      return std::string_view(piece).substr(wordAt_, wordEnd_ - wordAt_);
    }
    if (!nextTag()) return {};
  }
}

/// The file has no marks. A block is the content of the element whose words were read last; the input may
/// have left that element for the next one by then.
void XmlInput::readMark(osgDB::ObjectMark& mark) {
  if (mark._name != "{") {
    close();
  } else {
    const std::size_t depth = elements_.size();
    open(last_, depth, depth == 0 ? 0 : elements_.back().number);
  }
}

void XmlInput::readWrappedString(std::string& text) {
  if (peek().empty()) fail("the file ends too early");
  const std::string& piece = pieces_[piece_];
  if (piece[wordAt_] != '"') {
    text += std::string_view(piece).substr(wordAt_, wordEnd_ - wordAt_);
    return skip();
  }
  const std::size_t end = endOfWrapped(piece, wordAt_, &text);
  if (end == std::string::npos) fail("a text in quotes does not end");
  wordAt_ = end;
}

void XmlInput::advanceToCurrentEndBracket() {
  const Block block = close();
  std::size_t noted = 0;
  bool notes = true;
  while (!peek().empty()) {
    const std::size_t depth = block.begin;
    if (depth == 0 || elements_.size() < depth || elements_[depth - 1].number != block.size) return;
    const bool isChild = elements_.size() > depth;
    const std::size_t number = isChild ? elements_[depth].number : block.size;
    if (notes && (noted == 0 || number != noted))
      notes = noteUnread(block, isChild ? std::string_view(elements_[depth].name) : std::string_view());
    noted = number;
    wordAt_ = pieces_[piece_].size();
  }
}

void XmlInput::finish() {
  if (!peek().empty()) unread.add("file", "contents after the first object are not read", where());
  // Throws if it is cut off.
  while (nextTag()) {
  }
}

}  // namespace fitup::importers
