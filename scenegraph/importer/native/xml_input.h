#pragma once

#include <array>
#include <cstdint>

#include "strict_input.h"

namespace fitup::importers {

/// Reads files of kind .osgx. The words of an element are its name (with `--` for `::`), those of its
/// attributes `attribute` and `text`, and those of its children. Keeps a reference to the text.
class XmlInput : public TextInput {
 public:
  /// Throws InputError if there is no root element.
  explicit XmlInput(std::string_view text);
  void readMark(osgDB::ObjectMark& mark) override;
  void readWrappedString(std::string& text) override;
  void advanceToCurrentEndBracket() override;
  void finish() override;

 protected:
  ~XmlInput() override = default;
  [[nodiscard]] std::string where() const override;
  std::string_view peek() override;
  void skip() override { wordAt_ = wordEnd_; }

 private:
  struct Element {
    std::string name;
    std::size_t number = 0;  ///< in the order of the file
  };
  /// Advances to the next begin or end of an element. Returns false at the end of the file.
  bool nextTag();
  void beginElement();
  void endElement(std::string_view name);
  std::string attributeValue();
  void skipBlanks();
  void skipBehind(std::string_view end);

  std::string_view text_;
  std::size_t at_ = 0;  ///< after the last tag
  std::vector<Element> elements_;
  std::size_t begun_ = 0;
  bool isClosed_ = false;                ///< the last tag closes itself
  std::array<std::string, 3> pieces_{};  ///< words of the last element: name, `attribute`, `text`
  std::size_t piece_ = pieces_.size();
  std::size_t wordAt_ = 0, wordEnd_ = 0;  ///< in the piece
  mutable std::size_t countedTo_ = 0, lines_ = 1;
};

}  // namespace fitup::importers
