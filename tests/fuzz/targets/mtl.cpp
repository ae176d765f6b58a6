#include "mtl_reader.h"

#include "../fuzz_target.h"

using namespace fitup;
using namespace fitup::test;

/// Reads the input as a material library, and as the names of libraries, which must lead nowhere.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const InputFile folder("input.obj");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<ImportWarning> warnings;
  importers::SourceFile source(folder.beside("input.obj"));
  importers::MaterialColours colours(source, warnings);
  colours.addText(text);
  const std::size_t first = text.find("newmtl ");
  if (first != text.npos)
    if (const auto colour =
            colours.colourOf(text.substr(first + 7, text.find_first_of("\r\n#", first) - first - 7)))
      for (const float c : {colour->red, colour->green, colour->blue, colour->alpha})
        if (!(c >= 0 && c <= 1)) failRun("a colour outside 0 to 1");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    colours.addLibraries(text.substr(at, end - at));
    at = end + 1;
  }
  for (const CompanionFile& companion : source.referencedFiles())
    if (companion.digest.isKnown()) failRun("read a file that is not there: " + companion.path);
  return 0;
}
