// Makes the table of docs/lab/import-table.md. Arguments: DATA PAGE. Imports each STEP and IGES file below
// DATA, also those in zip archives, and compares it with what Open CASCADE alone makes of it. The page keeps
// its text up to the line `<!-- made by fitup-import-table -->`. Exits with 1 if anything differs.
//
// With --times FITUP FILE [ROUNDS], measures `FITUP info FILE` without a cache against Open CASCADE alone on
// one thread, which reads, transfers and meshes; in turn, three rounds by default.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/version.h>

#include "import_census.h"
#include "import_checks.h"
#include "run_program.h"
#include "temporary_folder.h"

namespace {

using namespace fitup;
using namespace fitup::test;

constexpr std::string_view marker = "<!-- made by fitup-import-table -->\n";

std::string text(const CensusComparison::Count& count) {
  const std::string distinct = std::to_string(count.distinct);
  return count.distinct == count.occurrences ? distinct
                                             : distinct + " (" + std::to_string(count.occurrences) + ")";
}

/// Returns a single number if both are equal.
std::string both(const std::string& census, const std::string& import) {
  return census == import ? census : "**" + census + " / " + import + "**";
}

/// Escapes vertical bars, which end a cell.
std::string cell(std::string words) {
  for (std::size_t at = 0; (at = words.find_first_of("|\n", at)) != words.npos; ++at) words[at] = ' ';
  return words;
}

/// Returns the error without the file's folders, and without the importer's earlier output.
std::string problemOf(const Error& error, const std::filesystem::path& file) {
  std::string words = error.what();
  if (const std::string prefix = file.string() + ": "; words.starts_with(prefix))
    words.erase(0, prefix.size());
  return words.substr(0, words.find('\n'));
}

class Table {
 public:
  void add(const std::filesystem::path& file, const std::string& name) {
    std::fprintf(stderr, "%s\n", name.c_str());
    std::optional<Census> census;
    std::optional<Model> model;
    std::string censusSays = "opens it", importSays;
    try {
      census = takeCensus(file);
      version_ = census->version;
    } catch (const std::runtime_error& error) {
      censusSays = error.what();
    }
    try {
      model = import(file);
      const ImportCounts counts = countsOf(*model);
      importSays = "reads " + std::to_string(counts.instances) + " instances of " +
                   std::to_string(counts.parts) + " parts, " + std::to_string(counts.faces) + " faces";
    } catch (const Error& error) {
      importSays = problemOf(error, file);
    }
    if (census && model)
      addCompared(file, name, compare(*census, *model), *model);
    else
      unopened_ << "| " << cell(name) << " | " << cell(censusSays) << " | " << cell(importSays) << " |\n";
    // Fitup must open what Open CASCADE opens.
    if (census && !model) differences_ << "- " << cell(name) << ": " << cell(importSays) << "\n";
    if (!model) return;
    for (const ImportWarning& warning : model->warnings)
      if (warning.incomplete)
        missing_ << "- " << cell(name) << ": " << cell(warning.element + " " + warning.message) << "\n";
  }

  [[nodiscard]] std::string markdown() const {
    std::ostringstream page;
    page << "\nFitup " << version << ", Open CASCADE " << version_ << ". " << files_
         << " files that both open: " << solids_ << " distinct solids, " << closed_ << " of them closed; "
         << faces_ << " distinct faces, " << invalid_ << " of them invalid.\n\n"
         << "| file | kB | parts | solids | sheets | faces | Open CASCADE: no triangles | some lacking | "
            "Fitup: no triangles | closed solids |\n|---|---|---|---|---|---|---|---|---|---|\n"
         << rows_.str();
    const auto list = [&](const char* title, const std::string& lines) {
      page << "\n## " << title << "\n\n" << (lines.empty() ? "None.\n" : lines);
    };
    list("Differences", differences_.str());
    list("Faces left out that are invalid or smaller than the chord error", leftOut_.str());
    list("Imports that say that something is missing", missing_.str());
    list("Files that not both of them open",
         unopened_.str().empty() ? "" : "| file | Open CASCADE | Fitup |\n|---|---|---|\n" + unopened_.str());
    return page.str();
  }
  [[nodiscard]] bool differs() const { return !differences_.str().empty(); }

 private:
  void addCompared(const std::filesystem::path& file, const std::string& name,
                   const CensusComparison& compared, const Model& model) {
    ++files_;
    solids_ += compared.solids.distinct;
    faces_ += compared.faces;
    closed_ += compared.closedSolids;
    invalid_ += compared.invalid;
    const CensusComparison::Count parts{model.assembly.partCount(), model.assembly.instances().size()};
    rows_ << "| " << cell(name) << " | " << (std::filesystem::file_size(file) + 500) / 1000 << " | "
          << text(parts) << " | " << both(text(compared.solids), text(compared.partsOfSolids)) << " | "
          << text(compared.sheets)
          << (compared.sheets.distinct == compared.partsOfSheets.distinct
                  ? ""
                  : " in " + text(compared.partsOfSheets))
          << " | " << both(std::to_string(compared.faces), std::to_string(compared.facesOfParts)) << " | "
          << compared.untessellated << " | " << compared.partlyTessellated << " | "
          << compared.untessellatedOfParts << " | "
          << both(std::to_string(compared.closedSolids), std::to_string(compared.closedParts)) << " |\n";
    for (const std::string& difference : compared.differences)
      differences_ << "- " << cell(name) << ": " << cell(difference) << "\n";
    for (const std::string& face : compared.leftOut)
      leftOut_ << "- " << cell(name) << ": " << cell(face) << "\n";
  }

  std::size_t files_ = 0, solids_ = 0, faces_ = 0, closed_ = 0, invalid_ = 0;
  std::string version_;
  std::ostringstream rows_, unopened_, differences_, leftOut_, missing_;
};

int makePage(const std::filesystem::path& data, const std::filesystem::path& page) {
  const std::string before = readText(page);
  const std::size_t at = before.find(marker);
  if (at == before.npos) {
    std::fprintf(stderr, "%s has no line for the table\n", page.c_str());
    return 2;
  }
  Table table;
  for (const std::filesystem::path& file : cadFilesBelow(data))
    table.add(file, std::filesystem::relative(file, data).string());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data)) {
    if (entry.path().extension() != ".zip") continue;
    const TemporaryFolder folder;
    if (std::system(
            ("unzip -q '" + entry.path().string() + "' -d '" + folder.path().string() + "'").c_str()) != 0) {
      std::fprintf(stderr, "%s is not unpacked\n", entry.path().c_str());
      return 2;
    }
    for (const std::filesystem::path& file : cadFilesBelow(folder.path()))
      table.add(file,
                std::filesystem::relative(entry.path(), data).string() + ": " + file.filename().string());
  }
  writeText(page, before.substr(0, at) + std::string(marker) + table.markdown());
  return table.differs() ? 1 : 0;
}

double middleOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int printTimes(const std::string& program, const std::filesystem::path& file, int rounds) {
  std::vector<double> alone, ours, ratios;
  for (int round = 0; round < rounds; ++round) {
    const OpenCascadeTimes times = timeOpenCascade(file);
    alone.push_back(times.read + times.transfer + times.mesh);
    const auto begin = std::chrono::steady_clock::now();
    RunOptions options;
    options.limit = std::chrono::minutes(30);
    const ProgramResult run = runProgram(program, {"info", "--no-cache", file.string()}, options);
    ours.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    ratios.push_back(ours.back() / alone.back());
    if (run.exitCode != 0) std::fprintf(stderr, "%s\n", run.text().c_str());
    std::printf(
        "Open CASCADE: read %.2f, transfer %.2f, mesh %.2f, together %.2f s; Fitup: %.2f s, %.3f of it\n",
        times.read, times.transfer, times.mesh, alone.back(), ours.back(), ratios.back());
  }
  std::printf("medians: %.2f s, %.2f s, %.3f\n", middleOf(alone), middleOf(ours), middleOf(ratios));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc >= 4 && std::string_view(argv[1]) == "--times")
      return printTimes(argv[2], argv[3], argc > 4 ? std::max(1, std::atoi(argv[4])) : 3);
    return argc == 3 ? makePage(argv[1], argv[2]) : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
