#pragma once

#include "strict_input.h"

namespace fitup::importers {

/// Reads files of kind .osgt after the word `#Ascii`. Keeps a reference to the text.
class AsciiInput : public TextInput {
 public:
  explicit AsciiInput(std::string_view text) : text_(text) {}
  void readMark(osgDB::ObjectMark& mark) override;
  void readWrappedString(std::string& text) override;
  void advanceToCurrentEndBracket() override;
  void finish() override;

 protected:
  ~AsciiInput() override = default;
  [[nodiscard]] std::string where() const override;
  std::string_view peek() override;
  void skip() override { at_ = end_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0, end_ = 0;  ///< range of the next word, after `peek`
  mutable std::size_t countedTo_ = 0, lines_ = 1;
};

}  // namespace fitup::importers
