#include <algorithm>
#include <array>
#include <string_view>

#include <fitup/base/error.h>

#include "importer_main.h"
#include "mesh_model.h"

using namespace fitup;
using namespace fitup::importers;

namespace {

Model import(const Arguments& arguments, ProgressLines& progress) {
  constexpr std::array<std::string_view, 5> units{"mm", "cm", "m", "in", "ft"};
  const std::string& unit = arguments.text("unit");
  if (std::find(units.begin(), units.end(), unit) == units.end())
    throw InputError("option --unit", "'" + unit + "'", "must be one of mm, cm, m, in, ft");
  std::optional<double> angle;
  if (arguments.text("segment") != "none") {
    angle = arguments.number("segment");
    if (*angle < 0 || *angle > 180) throw InputError("option --segment must lie between 0 and 180 degrees");
  }
  const std::optional<UpAxis> upAxis = upAxisFromName(arguments.text("up"));
  if (!upAxis) throw InputError("option --up", "'" + arguments.text("up") + "'", "must be one of x, y, z");
  return readMeshFile(arguments.input, {unit, *upAxis, angle}, progress);
}

}  // namespace

int main(int argc, char** argv) {
  return runMain(
      argc, argv, "Reads a mesh file (OBJ, STL, PLY, OFF, glTF, 3DS) and writes a Fitup model file.",
      {{"unit", "mm", "unit of the file's numbers: mm, cm, m, in, ft (glTF: always m)"},
       {"up", "z", "axis of the file that points up: x, y, z (glTF: always y)"},
       {"segment", "30", "largest angle within a surface in degrees, where the file has no groups; or none"}},
      import);
}
