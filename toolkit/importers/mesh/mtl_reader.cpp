#include "mtl_reader.h"

#include <algorithm>
#include <cmath>

#include <fitup/base/error.h>
#include <fitup/io/file_bytes.h>

#include "importer_main.h"
#include "text_words.h"

namespace fitup::importers {
namespace {

/// Returns a component of a colour, a number clamped to 0 to 1.
std::optional<float> componentOf(std::string_view word) {
  const std::optional<double> value = numberOf(word);
  if (!value || std::isnan(*value)) return std::nullopt;
  return static_cast<float>(std::clamp(*value, 0.0, 1.0));
}

/// Reads red, green and blue; red alone is a grey. Colours by spectrum or CIE XYZ (`spectral`, `xyz`) are not
/// read.
std::optional<Colour> colourIn(std::string_view rest) {
  const auto red = componentOf(nextWord(rest));
  if (!red) return std::nullopt;
  const std::string_view second = nextWord(rest);
  if (second.empty()) return Colour{*red, *red, *red, 1};
  const auto green = componentOf(second), blue = componentOf(nextWord(rest));
  if (!green || !blue) return std::nullopt;
  return Colour{*red, *green, *blue, 1};
}

/// Returns the factor of `d [-halo] factor`.
std::optional<float> factorIn(std::string_view rest) {
  std::string_view word = nextWord(rest);
  if (word == "-halo") word = nextWord(rest);
  return componentOf(word);
}

}  // namespace

void MaterialColours::addLibraries(std::string_view names) {
  names = trimmed(names);
  if (names.empty() || seen_.contains(names)) return;
  if (seen_.size() >= mostLibraries) return;
  if (!source_.isThere(names)) {
    std::vector<std::string> words;
    for (std::string_view rest = names, word = nextWord(rest); !word.empty(); word = nextWord(rest))
      words.emplace_back(word);
    if (std::any_of(words.begin(), words.end(),
                    [&](const std::string& word) { return source_.isThere(word); })) {
      seen_.emplace(names);
      for (const std::string& word : words)
        if (seen_.size() < mostLibraries && seen_.insert(word).second) addLibrary(word);
      return;
    }
  }
  seen_.emplace(names);
  addLibrary(std::string(names));
}

void MaterialColours::addLibrary(const std::string& name) {
  const SourceFile::Reference library = source_.find(name, largestLibrary);
  constexpr std::size_t shown = 200;
  if (library.result == SourceFile::Reference::Result::outside)
    warnings_.push_back({"material library " + validUtf8(std::string_view(name).substr(0, shown)),
                         library.problem + "; results do not depend on its colours", false});
  if (!library.isFound()) return;
  try {
    addText(FileBytes::map(library.bytes)->text());
  } catch (const FileError&) {
    return;  // it existed when it was copied; only colours are lost
  }
}

void MaterialColours::addText(std::string_view text) {
  TextLines lines(withoutByteOrderMark(text));
  std::optional<std::string> material;
  std::optional<Colour> colour;
  float opacity = 1;
  const auto finish = [&] {
    if (!material) return;
    if (colour) colour->alpha = opacity;
    colours_.try_emplace(*material, colour);
  };
  for (std::string_view line; lines.next(line);) {
    std::string_view rest = line;
    const std::string_view word = nextWord(rest), newName = nameIn(rest);
    rest = rest.substr(0, rest.find('#'));
    if (word == "newmtl") {
      finish();
      material = std::string(newName);
      colour.reset();
      opacity = 1;
    } else if (word == "Kd") {
      if (const auto read = colourIn(rest)) colour = read;
    } else if (word == "d" || word == "Tr") {
      if (const auto read = factorIn(rest)) opacity = word == "d" ? *read : 1 - *read;
    }
  }
  finish();
}

std::optional<Colour> MaterialColours::colourOf(std::string_view material) const {
  const auto found = colours_.find(material);
  return found == colours_.end() ? std::nullopt : found->second;
}

}  // namespace fitup::importers
