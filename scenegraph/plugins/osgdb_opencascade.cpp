#include <string>

#include <osgDB/Registry>

#include <fitup/io/formats.h>

#include "assembly_reader.h"

namespace osgFitup::plugins {

/// Reads STEP and IGES. osgDB's list of aliases maps step and stp to a plugin called "opencascade".
class CadReader : public AssemblyReader {
 public:
  CadReader() {
    for (const fitup::FileFormat& format : fitup::fileFormats())
      if (format.family == fitup::FileFamily::cad)
        supportsExtension(std::string(format.extension.substr(1)), std::string(format.label));
    supportReadOptions();
  }
  [[nodiscard]] const char* className() const override { return "STEP and IGES reader of Fitup"; }

 protected:
  ~CadReader() override = default;
};

}  // namespace osgFitup::plugins

using osgFitup::plugins::CadReader;
REGISTER_OSGPLUGIN(opencascade, CadReader)
