#pragma once

#include <string>

#include <fitup/motion/drag_guard.h>
#include <fitup/query/penetration.h>

#include "support/tiny_meshes.h"

namespace fitup::test {

inline RigidMotion shiftBy(double x, double y, double z) { return {{}, {x, y, z}}; }
inline Transform at(double x, double y, double z) { return Transform::translation({x, y, z}); }

/// A dragged part, parts at rest, and an oracle for poses.
struct DragScene {
  Assembly assembly{"scene"};
  NodeId dragged{};
  CollisionModels models;
  fitup::Scene built;

  NodeId add(const std::string& name, const MeshPtr& mesh, const Transform& place) {
    return assembly.addNode(name, place, {}, assembly.addPart(mesh));
  }
  void build() {
    models = buildCollisionModels(assembly, {}, {}, 1);
    built = fitup::Scene(assembly, models);
  }
  [[nodiscard]] DragGuard drag(const DragOptions& options, const RigidMotion& start = {}) const {
    const NodeId nodes[] = {dragged};
    return {built, {}, nodes, start, options};
  }
  [[nodiscard]] PosedSolid posed(NodeId node, const RigidMotion& motion) const {
    const Transform place = assembly.worldFromNode(node);
    return {built.solid(assembly.partOf(node)), node == dragged ? motion.transform() * place : place};
  }
  [[nodiscard]] double depth(NodeId other, const RigidMotion& motion) const {
    return penetration(posed(dragged, motion), posed(other, motion)).depth();
  }
  [[nodiscard]] bool intersects(NodeId other, const RigidMotion& motion) const {
    return intersect(posed(dragged, motion).posed(), posed(other, motion).posed()).intersects();
  }
};

}  // namespace fitup::test
