#pragma once

#include <string>

#include <fitup/io/model_file.h>

#include "support/tiny_meshes.h"

namespace fitup::test {

/// Makes cubes of side 1 at x = 0, 2, 4, ...: instances "row/cube-0" and so on of one part.
inline Model rowOfCubes(int count) {
  Model model;
  const PartId cube = model.assembly.addPart(sixSidedBox(1, 1, 1));
  const NodeId group = model.assembly.addNode("row", {});
  for (int i = 0; i < count; ++i)
    model.assembly.addNode("cube-" + std::to_string(i), Transform::translation({2.0 * i, 0, 0}), group, cube);
  return model;
}

}  // namespace fitup::test
