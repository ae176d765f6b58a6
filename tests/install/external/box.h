#pragma once

#include <memory>

#include <fitup/fitup.h>

/// A box from the origin to (4, 4, 4).
inline std::shared_ptr<const fitup::TriangleMesh> box() {
  fitup::TriangleMeshBuilder builder("box");
  for (unsigned k = 0; k < 8; ++k)
    builder.addPoint({(k & 1) != 0 ? 4.0 : 0.0, (k & 2) != 0 ? 4.0 : 0.0, (k & 4) != 0 ? 4.0 : 0.0});
  builder.beginSurface("all");
  constexpr unsigned quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& q : quads) {
    builder.addTriangle(q[0], q[1], q[2]);
    builder.addTriangle(q[0], q[2], q[3]);
  }
  return std::make_shared<const fitup::TriangleMesh>(builder.build());
}
