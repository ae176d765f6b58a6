#include "mutated_imports.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>

#include <fitup/base/error.h>

#include "import_checks.h"
#include "mutations.h"
#include "temporary_folder.h"

namespace fitup::test {
namespace {

bool isFiniteNumber(std::string word) {
  if (word.starts_with('+')) word.erase(0, 1);
  double value = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
  return parsed.ec == std::errc() && parsed.ptr == word.data() + word.size() && std::isfinite(value);
}

std::vector<std::vector<std::string>> wordsOfLines(std::string bytes) {
  for (char& c : bytes)
    if (c == '\r') c = '\n';
  std::vector<std::vector<std::string>> result;
  std::istringstream lines(bytes);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    result.emplace_back();
    for (std::string word; words >> word;) result.back().push_back(word);
  }
  return result;
}

DeclaredElements declaredInObj(std::string bytes) {
  // A backslash at the end of a line joins the next one.
  for (std::size_t at = bytes.find("\\\n"); at != std::string::npos; at = bytes.find("\\\n", at))
    bytes.replace(at, 2, "  ");
  const std::set<std::string> known{"v", "vn", "vt", "vp", "f",      "fo",     "g",      "o",
                                    "s", "mg", "p",  "l",  "usemtl", "mtllib", "usemap", "bevel"};
  const auto areCounts = [](const std::vector<std::string>& words) {
    return std::all_of(words.begin(), words.end(),
                       [](const auto& w) { return w.find_first_not_of("0123456789") == w.npos; });
  };
  DeclaredElements declared;
  bool points = false;  // counts may precede them
  for (auto& words : wordsOfLines(bytes)) {
    for (std::size_t i = 0; i < words.size(); ++i)
      if (const std::size_t comment = words[i].find('#'); comment != std::string::npos) {
        words[i].resize(comment);
        words.resize(words[i].empty() ? i : i + 1);
      }
    if (words.empty()) continue;
    if (words[0] == "f" || words[0] == "fo")
      declared.count += words.size() > 3 ? words.size() - 3 : 0;
    else if (!known.contains(words[0]) && !(!points && areCounts(words)))
      declared.malformed = true;
    points |= words[0] == "v";
  }
  return declared;
}

DeclaredElements declaredInStl(const std::string& bytes) {
  DeclaredElements declared;
  std::uint32_t announced = 0;
  if (bytes.size() >= 84) std::memcpy(&announced, bytes.data() + 80, sizeof announced);
  if (bytes.size() >= 84 && bytes.size() == 84 + 50 * std::size_t{announced}) {
    declared.count = announced;
    return declared;
  }
  std::size_t facets = 0, vertices = 0, ends = 0;
  std::vector<std::string> words;
  for (const auto& line : wordsOfLines(bytes)) {
    // The rest of the line belongs to the name.
    const bool isName = !line.empty() && (line[0] == "solid" || line[0] == "endsolid");
    words.insert(words.end(), line.begin(), isName ? line.begin() + 1 : line.end());
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    facets += words[i] == "facet";
    ends += words[i] == "endfacet";
    if (words[i] != "vertex") continue;
    ++vertices;
    for (std::size_t k = i + 1; k <= i + 3; ++k)
      declared.malformed |= k >= words.size() || !isFiniteNumber(words[k]);
  }
  declared.count = std::max({facets, ends, (vertices + 2) / 3});
  return declared;
}

/// Returns the number of faces that an intact header announces.
DeclaredElements declaredInPly(const std::string& bytes) {
  const std::size_t end = bytes.find("end_header");
  if (end == std::string::npos) return {};
  for (const auto& words : wordsOfLines(bytes.substr(0, end)))
    if (words.size() == 3 && words[0] == "element" && words[1] == "face")
      return {std::strtoull(words[2].c_str(), nullptr, 10), false};
  return {};
}

DeclaredElements declaredInOff(const std::string& bytes) {
  std::vector<std::string> words;
  for (const auto& line : wordsOfLines(bytes))
    for (const std::string& word : line) {
      if (word.starts_with('#')) break;
      words.push_back(word);
    }
  const std::size_t first = !words.empty() && words[0] == "OFF" ? 1 : 0;
  if (words.size() < first + 3) return {};
  return {std::strtoull(words[first + 1].c_str(), nullptr, 10), false};
}

/// Counts distinct instances of ADVANCED_FACE, outside of texts and comments.
DeclaredElements declaredInStep(const std::string& bytes) {
  std::string plain;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '\'')
      i = std::min(bytes.find('\'', i + 1), bytes.size());
    else if (bytes.compare(i, 2, "/*") == 0)
      i = std::min(bytes.find("*/", i + 2), bytes.size()) + 1;
    else if (std::strchr(" \t\r\n", bytes[i]) == nullptr)
      plain += bytes[i];
  }
  std::set<std::string> ids;
  for (std::size_t at = plain.find("=ADVANCED_FACE("); at != std::string::npos;
       at = plain.find("=ADVANCED_FACE(", at + 1)) {
    const std::size_t sharp = plain.rfind('#', at);
    if (sharp != std::string::npos && plain.find_first_not_of("0123456789", sharp + 1) == at)
      ids.insert(plain.substr(sharp, at - sharp));
  }
  return {ids.size(), false};
}

/// Counts directory entries (two lines each) of trimmed surfaces, bounded surfaces and faces of solids.
DeclaredElements declaredInIges(const std::string& bytes) {
  DeclaredElements declared;
  std::istringstream lines(bytes);
  bool second = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 73 || line[72] != 'D') continue;
    const int type = std::atoi(line.substr(0, 8).c_str());
    declared.count += !second && (type == 143 || type == 144 || type == 510);
    second = !second;
  }
  return declared;
}

bool isCad(const std::string& extension) { return extension == ".step" || extension == ".igs"; }

/// Returns the number of faces or triangles of the distinct parts.
std::size_t arrived(const std::string& extension, const Model& model) {
  std::size_t count = 0;
  for (std::uint32_t p = 0; p < model.assembly.partCount(); ++p) {
    const TriangleMesh& mesh = model.assembly.part(PartId{p});
    count += isCad(extension) ? mesh.surfaces().size() : mesh.triangleCount();
  }
  return count;
}

void importOne(const std::string& extension, const std::string& bytes, const std::filesystem::path& file,
               const ImportFunction& import, const std::string& label, MutationTally& tally) {
  const auto wrong = [&](const std::string& problem) { tally.wrong.push_back(label + ": " + problem); };
  try {
    const Model model = import(file);
    if (isIncomplete(model)) {
      ++tally.incomplete;
      return;
    }
    ++tally.complete;
    const DeclaredElements declared = declaredElements(extension, bytes);
    const std::size_t got = arrived(extension, model);
    // Faces of two corners and fewer have no surface to lose, but are reported too.
    const bool isTold = std::any_of(model.warnings.begin(), model.warnings.end(), [](const ImportWarning& w) {
      return w.message.find("are left out") != std::string::npos;
    });
    if (got < declared.count && !isTold)
      wrong("silent loss: declares " + std::to_string(declared.count) + ", " + std::to_string(got) +
            " arrived");
    if (declared.malformed) wrong("silent loss: a malformed line is passed over");
  } catch (const Error& error) {
    const std::string_view said = error.what();
    const auto says = [&](std::string_view text) { return said.find(text) != std::string_view::npos; };
    if (said.empty() || says("result is unusable") || says("cannot start") || says("is not installed"))
      wrong(std::string(said));
    else if (says("importer crashed"))
      ++tally.crashed;
    else if (says(" of memory while "))
      ++tally.outOfMemory;
    else if (says("no progress for"))
      ++tally.hung;
    else
      ++tally.refused;
  } catch (const std::exception& error) {
    wrong(std::string("not an error of the toolkit: ") + error.what());
  }
}

}  // namespace

std::string MutationTally::text() const {
  std::string result = std::to_string(complete) + " complete, " + std::to_string(incomplete) +
                       " incomplete, " + std::to_string(refused) + " refused, " + std::to_string(crashed) +
                       " crashed, " + std::to_string(outOfMemory) + " out of memory, " +
                       std::to_string(hung) + " without progress, " + std::to_string(wrong.size()) + " wrong";
  for (std::size_t i = 0; i < wrong.size() && i < 20; ++i) result += "\n  " + wrong[i];
  return result;
}

DeclaredElements declaredElements(const std::string& extension, const std::string& bytes) {
  if (extension == ".obj") return declaredInObj(bytes);
  if (extension == ".stl") return declaredInStl(bytes);
  if (extension == ".ply") return declaredInPly(bytes);
  if (extension == ".off") return declaredInOff(bytes);
  if (extension == ".step") return declaredInStep(bytes);
  if (extension == ".igs") return declaredInIges(bytes);
  return {};
}

MutationTally importMutations(const std::string& name, const std::string& bytes, std::size_t count,
                              std::uint64_t seed, const ImportFunction& import) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / name;
  const std::string extension = file.extension().string();
  MutationTally tally;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string mutated = Mutator(seed + i)(bytes);
    writeText(file, mutated);
    importOne(extension, mutated, file, import, name + " mutation " + std::to_string(seed + i), tally);
  }
  if (folder.entryCount() != 1) tally.wrong.push_back(name + ": files are left behind");
  return tally;
}

}  // namespace fitup::test
