// Compares verdicts on STEP assemblies with the Booleans of Open CASCADE (boolean_oracle.h). Arguments:
// FILE... Prints the rows of the table of docs/results/verdicts.md, then all that differs. With --overlaps
// OUTPUT FILE, the Booleans are those that `fitup-brep-overlaps` printed before. Exits with 1 if a verdict is
// missed or false.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "boolean_oracle.h"
#include "import_checks.h"
#include "temporary_folder.h"

namespace {

using namespace fitup;
using namespace fitup::test;

std::string differences;

void list(const char* title, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) differences += std::string("- ") + title + ": " + line + "\n";
}

bool addRow(const std::filesystem::path& file, const BooleanOverlaps& overlaps) {
  const Model model = import(file);
  const VerdictComparison compared = compareVerdicts(overlaps, model, judgedPairs(model));
  std::printf("| %s | %zu | %zu | %zu (%zu) | %zu | %zu | %zu | %zu | %zu | %zu | %zu |\n",
              file.filename().c_str(), overlaps.solids.size(), compared.pairs, compared.failedBooleans,
              compared.failedThatAgree, compared.clashesWithBall, compared.otherClashes, compared.contacts,
              compared.clear, compared.undecided, compared.missed.size(), compared.falseClashes.size());
  std::fflush(stdout);
  differences += "\n" + file.filename().string() + ", Open CASCADE " + overlaps.version + "\n";
  list("MISSED", compared.missed);
  list("FALSE", compared.falseClashes);
  list("deeper than said", compared.tooShallow);
  list("not matched", compared.unmatched);
  list("agrees, but", compared.notes);
  list("Boolean that does not count", compared.failures);
  return compared.missed.empty() && compared.falseClashes.empty();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  try {
    std::printf(
        "| file | solids | pairs | Booleans that do not count (agree) | clashes with a ball of 2 t | other "
        "clashes | "
        "contacts | clear | undecided | missed | false |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    bool agrees = true;
    if (std::string_view(argv[1]) == "--overlaps" && argc == 4)
      agrees = addRow(argv[3], parseBooleanOverlaps(readText(argv[2])));
    else
      for (int i = 1; i < argc; ++i) agrees = addRow(argv[i], takeBooleanOverlaps(argv[i])) && agrees;
    std::fputs(differences.c_str(), stdout);
    return agrees ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
