#include <viewer/gui/script_words.h>

#include <locale>
#include <sstream>

#include <QString>

#include <fitup/base/error.h>

namespace fitup::viewer {

Words wordsOf(const std::string& line) {
  Words words;
  std::string word;
  bool inQuotes = false, any = false;
  const auto end = [&] {
    if (any) words.push_back(word);
    word.clear();
    any = false;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (inQuotes && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      word += line[++i];
    } else if (c == '"') {
      inQuotes = !inQuotes;
      any = true;
    } else if (!inQuotes && (c == ' ' || c == '\t' || c == '\r')) {
      end();
    } else if (!inQuotes && !any && c == '#') {
      break;
    } else {
      word += c;
      any = true;
    }
  }
  if (inQuotes) throw InputError("a quotation mark is not closed");
  end();
  return words;
}

std::string quotedWord(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

double numberOf(const std::string& text) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  double value = 0;
  if (!(stream >> value) || !stream.eof()) throw InputError("'" + text + "' is not a number");
  return value;
}

std::size_t countOf(const std::string& text) {
  const double value = numberOf(text);
  constexpr double most = 1e15;
  if (!(value >= 0 && value <= most) || value != static_cast<double>(static_cast<std::size_t>(value)))
    throw InputError("'" + text + "' is not a whole number");
  return static_cast<std::size_t>(value);
}

std::uint32_t colourOf(const std::string& text) {
  const QString digits = QString::fromStdString(text.starts_with('#') ? text.substr(1) : text);
  bool isNumber = false;
  const std::uint32_t colour = digits.toUInt(&isNumber, 16);
  if (!isNumber || digits.size() != 6 || !digits.at(0).isLetterOrNumber())
    throw InputError("'" + text + "' is not a colour such as ff8000");
  return colour;
}

}  // namespace fitup::viewer
