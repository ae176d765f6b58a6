#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>

#include "raw_part.h"

namespace fitup::importers {

/// The contents of a mesh file, before the surfaces of its parts are decided.
struct RawScene {
  struct Node {
    std::string name;
    std::optional<NodeId> parent;  ///< into `nodes`, an earlier one
    Transform parentFromNode;
    std::optional<std::uint32_t> part;  ///< into `parts`
    std::optional<Colour> colour = {};
  };
  std::vector<RawPart> parts;
  std::vector<Node> nodes;          ///< empty: each part has one instance with its name
  std::optional<std::string> unit;  ///< if the format fixes it
  std::optional<UpAxis> upAxis;     ///< likewise
  std::vector<ImportWarning> warnings;
};

}  // namespace fitup::importers
