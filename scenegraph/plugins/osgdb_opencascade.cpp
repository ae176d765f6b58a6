#include <osgDB/Registry>

#include "assembly_reader.h"

namespace osgFitup::plugins {

/// STEP and IGES. osgDB's list of aliases sends step and stp to a plugin called "opencascade".
class CadReader : public AssemblyReader {
 public:
  CadReader() {
    supportsExtension("step", "STEP assembly");
    supportsExtension("stp", "STEP assembly");
    supportsExtension("iges", "IGES file");
    supportsExtension("igs", "IGES file");
    supportReadOptions();
  }
  [[nodiscard]] const char* className() const override { return "STEP and IGES reader of Fitup"; }

 protected:
  ~CadReader() override = default;
};

}  // namespace osgFitup::plugins

using osgFitup::plugins::CadReader;
REGISTER_OSGPLUGIN(opencascade, CadReader)
