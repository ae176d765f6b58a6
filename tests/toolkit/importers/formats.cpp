#include <fitup/io/formats.h>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>

#include "support/import_checks.h"
#include "support/temporary_folder.h"

namespace import_formats_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("importers know each extension that the table of formats sends to them", "[importer]") {
  const TemporaryFolder folder;
  for (const FileFormat& format : fileFormats()) {
    const auto importer = format.family == FileFamily::cad    ? cadImporter()
                          : format.family == FileFamily::mesh ? meshImporter()
                          : format.family == FileFamily::osg  ? osgImporter()
                                                              : std::nullopt;
    if (!importer) continue;
    CHECK(importer->filename() == importerOf(format.family));
    const auto file = folder / ("a" + std::string(format.extension));
    writeText(file, "? no file of any format\n");
    try {
      import(file);
      FAIL_CHECK(format.extension << " was read");
    } catch (const ImportError& error) {
      // About its contents, not about its name.
      CHECK_THAT(error.what(), !Catch::Contains("extension"));
    }
  }
}

}  // namespace import_formats_tests
