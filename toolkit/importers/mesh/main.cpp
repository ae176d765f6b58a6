#include <optional>

#include <fitup/base/error.h>

#include "importer_main.h"
#include "mesh_model.h"

using namespace fitup;
using namespace fitup::importers;

namespace {

Model import(Arguments& arguments, ProgressLines& progress) {
  std::optional<double> angle;
  if (arguments.text("segment") != "none") {
    angle = arguments.number("segment");
    if (*angle < 0 || *angle > 180) throw InputError("option --segment must lie between 0 and 180 degrees");
  }
  return readMeshFile(arguments.source, {arguments.unit(), arguments.upAxis(), angle}, progress);
}

}  // namespace

int main(int argc, char** argv) {
  return runMain(
      argc, argv, "Reads a mesh file (OBJ, STL, PLY, OFF, glTF, 3DS) and writes a Fitup model file.",
      {{"unit", "mm", "unit of the file's numbers: mm, cm, m, in, ft (glTF: always m)"},
       {"up", "z", "axis that points up: x, y, z (glTF: always y)"},
       {"segment", "30", "largest angle within a surface in degrees, if the file has no groups; or none"}},
      import);
}
