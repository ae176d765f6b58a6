#include <algorithm>
#include <cmath>
#include <string>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>

#include "iges_reader.h"
#include "importer_main.h"
#include "refine.h"
#include "step_reader.h"

using namespace fitup;

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--refine") return importers::answerRefinements(argv[2]);
  return importers::runMain(
      argc, argv, "Reads a STEP or IGES file and writes a Fitup model file.",
      {{"linear", "0.1", "chord error of the tessellation in mm"},
       {"relative", "0.004",
        "the same as a fraction of a part's extent, if that is smaller; 0: the same for all"},
       {"angular", "0.5", "angle between neighbouring facets in radians"},
       {"solids", "split", "for a product with several solids: split, one part each; merge, one part"},
       {"encoding", "", "encoding of names in STEP files: utf-8, gbk, ...; empty: detected"},
       {"threads", "0", "number of threads; 0: one for each core"}},
      [](importers::Arguments& arguments, importers::ProgressLines& progress) {
        const Deflection deflection{arguments.number("linear"), arguments.number("angular")};
        if (deflection.linear <= 0 || deflection.angular <= 0)
          throw InputError("--linear and --angular must be positive");
        const double relative = arguments.number("relative");
        if (!(relative >= 0 && relative <= 1)) throw InputError("--relative must lie between 0 and 1");
        const double threads = arguments.number("threads");
        if (!(threads >= 0 && threads <= 1024) || threads != std::floor(threads))
          throw InputError("--threads must be a whole number up to 1024");
        const std::string solids = arguments.text("solids");
        if (solids != "split" && solids != "merge") throw InputError("--solids must be split or merge");
        const std::string encoding = arguments.text("encoding");
        if (!encoding.empty() && !isTextEncoding(encoding))
          throw InputError("--encoding is not a known encoding");
        const importers::CadOptions options{deflection, static_cast<unsigned>(threads), relative,
                                            solids == "merge", encoding};
        std::string extension = arguments.source.name().extension().string();
        std::transform(extension.begin(), extension.end(), extension.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
        if (extension == ".iges" || extension == ".igs")
          return importers::readIges(arguments.source, options, progress);
        return importers::readStep(arguments.source, options, progress);
      });
}
