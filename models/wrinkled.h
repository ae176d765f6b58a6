#pragma once

#include <fitup/scene/assembly.h>
#include <models/torus.h>

namespace fitup::models {

/// A torus of 100,000 triangles whose tube is wrinkled in both directions.
TorusOptions wrinkledTorus();

/// Two of them, the second turned and shifted so that they overlap deeply: some 6,900 pairs of triangles
/// intersect. One part, instances "first" and "second".
Assembly makeWrinkledPair(const TorusOptions& options = wrinkledTorus());

}  // namespace fitup::models
