#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/text.h>
#include <models/solids/tessellate.h>
#include <models/ways_out.h>

namespace fitup::models {

inline constexpr Colour restingColour{0.62F, 0.66F, 0.7F, 1}, movedColour{0.85F, 0.5F, 0.25F, 1};

/// Puts a scene together: its parts below one root, and its way out step by step.
class SceneMaker {
 public:
  explicit SceneMaker(const std::string& name) : assembly_(name), root_(assembly_.addNode(name, {})) {}

  PartId part(TriangleMesh mesh) {
    return assembly_.addPart(std::make_shared<const TriangleMesh>(std::move(mesh)));
  }
  PartId part(const std::string& name, const Colour& colour, std::vector<Solid> solids) {
    PartDescription description;
    description.name = name;
    description.colour = colour;
    description.solids = std::move(solids);
    return part(tessellate(description));
  }
  NodeId place(const std::string& name, PartId part, const Colour& colour, const Transform& placement = {}) {
    return assembly_.addNode(name, placement, root_, part, colour);
  }
  NodeId place(const std::string& name, const Colour& colour, Solid solid) {
    return place(name, part(name, colour, {std::move(solid)}), colour);
  }

  /// Begins the way. Names of parts that move, each of which is a group.
  void beginWay(const std::vector<NodeId>& moved) {
    for (const NodeId node : moved) track_.moved.push_back(assembly_.path(node));
    track_.name = "way out";
    track_.steps.emplace_back(moved.size());
    track_.ways.emplace_back(moved.size());
    hasWay_ = true;
  }
  /// The next step: one group goes on, the others rest.
  void shift(std::size_t group, const Vec3& by) {
    repeat();
    Vec3& translation = track_.steps.back()[group].translation;
    translation = translation + by;
  }
  void turn(std::size_t group, const AxisTurn& turn) {
    repeat();
    RigidMotion& motion = track_.steps.back()[group];
    motion = turn.at(1) * motion;
    track_.ways.back()[group].turn = turn;
  }

  WayOutScene finish() {
    WayOutScene scene{std::move(assembly_)};
    if (hasWay_) {
      track_.modelHash = scene.assembly.contentHash();
      scene.way = std::move(track_);
    }
    return scene;
  }

 private:
  void repeat() {
    track_.steps.push_back(std::vector<RigidMotion>(track_.steps.back()));
    track_.ways.emplace_back(track_.moved.size());
  }

  Assembly assembly_;
  NodeId root_;
  Track track_;
  bool hasWay_ = false;
};

/// Throws InputError unless least < value <= most, or least <= value if `includesLeast`.
inline void requireBetween(const char* scene, const char* what, double value, double least, double most,
                           bool includesLeast) {
  if (value <= most && (includesLeast ? value >= least : value > least)) return;
  throw InputError(scene, std::string(what) + " " + numberText(value),
                   std::string("it must be ") + (includesLeast ? "at least " : "above ") + numberText(least) +
                       " and at most " + numberText(most));
}

}  // namespace fitup::models
