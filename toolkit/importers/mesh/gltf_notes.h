#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "raw_scene.h"

namespace fitup::importers {

/// The notes that `writeGltf` (fitup/io/gltf_export.h) puts into the `extras` of a file, about what glTF has
/// no place for. Another program may have changed the file since and kept them.
struct GltfNotes {
  struct Surface {
    std::string name;
    std::optional<Colour> colour;
    bool isEmpty = false;  ///< there is no primitive for it
    friend bool operator==(const Surface&, const Surface&) = default;
  };
  struct Part {
    std::uint64_t ordinal = 0;
    std::string name;
    Vec3 origin;  ///< origin of the positions, in the part's frame
    std::vector<Surface> surfaces;
    std::optional<Colour> colour;          ///< colour of the instances that show the mesh
    std::vector<std::uint64_t> accessors;  ///< accessors of the primitives' positions and indices
    std::vector<bool> isUncoloured;        ///< by primitive: its material stands for no colour
  };
  struct Node {
    std::string name;
    std::optional<Transform> placement;  ///< parent from node, before it was rounded and moved by the origins
    std::optional<Colour> colour;
    std::shared_ptr<const Part> part;
    bool isInner = false;  ///< it and its parent stand for one node
  };
  std::vector<Node> nodes;  ///< nodes of the scene, each before those below it
  std::string unit;
  UpAxis upAxis = UpAxis::y;
};

/// Reads the notes of the scene below a node. Empty unless that node says that Fitup has written it. Throws
/// nlohmann's exceptions. Precondition: the references below the node are valid, and it is a tree.
std::optional<GltfNotes> readGltfNotes(const nlohmann::json& gltf, std::uint64_t root);

/// Restores a scene that was read without the notes: names, surfaces, colours, parts that several meshes
/// stand for, placements, unit and up axis. `scene` has a node for each noted one. Notes that do not agree
/// with the rounded scene are ignored.
void applyNotes(const GltfNotes& notes, RawScene& scene);

}  // namespace fitup::importers
