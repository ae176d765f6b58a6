#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fitup/motion/verify_certificate.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace fitup::test {

inline constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinite = std::numeric_limits<double>::infinity();

inline RigidMotion motionBy(double x, double y, double z) { return {{}, {x, y, z}}; }

/// An assembly and the certificate of a motion of it.
struct CertifiedStage {
  Assembly assembly{"stage"};
  Certificate certificate{};

  NodeId add(const std::string& name, const MeshPtr& mesh, const Transform& where) {
    return assembly.addNode(name, where, {}, assembly.addPart(mesh));
  }
  void move(std::vector<std::string> moved, std::vector<std::vector<RigidMotion>> steps,
            std::vector<std::vector<StepWay>> ways = {}) {
    certificate.track.moved = std::move(moved);
    certificate.track.steps = std::move(steps);
    certificate.track.ways = std::move(ways);
    certificate.modelHash = assembly.contentHash();
    certificate.certainUntil = static_cast<double>(certificate.track.steps.size()) - 1;
  }
  /// Moves one path along a turn or screw.
  void turn(const std::string& path, const AxisTurn& turn) {
    move({path}, {{RigidMotion{}}, {turn.at(1)}}, {{StepWay{}}, {StepWay{turn, {}}}});
  }
  CertifiedPair& pair(NodeId a, NodeId b, std::vector<CertifiedInterval> intervals) {
    certificate.pairs.push_back({a, b, certificate.clearance, {}, std::move(intervals)});
    return certificate.pairs.back();
  }
  [[nodiscard]] CertificateCheck checked(const CertificateCheckOptions& options = {}) const {
    return verifyCertificate(Scene(assembly), certificate, options);
  }
};

/// What is not confirmed, in lines.
inline std::string text(const CertificateCheck& check) {
  std::string text;
  for (const std::string& fault : check.faults) text += fault + "\n";
  for (const RefutedClaim& claim : check.refuted) text += claim.problem + "\n";
  for (const UncheckedInterval& interval : check.unchecked) text += "unchecked: " + interval.reason + "\n";
  return text;
}

inline bool hasFault(const CertificateCheck& check, const std::string& words) {
  return std::ranges::any_of(check.faults,
                             [&](const std::string& f) { return f.find(words) != std::string::npos; });
}

/// A box sunk into a block by more than the tolerance, from the start.
struct Sunk : CertifiedStage {
  NodeId slider, block;
  Sunk() {
    slider = add("slider", box(4, 4, 4), shift(-3, 0, 1));
    block = add("block", box(30, 20, 10), shift(0, 0, -5));
    certificate.tolerance = 0.1;
    move({"slider"}, {{RigidMotion{}}, {motionBy(6, 0, 0)}});
    pair(slider, block, {{0, 1, 0.05}}).contact = ContactLimit{0.1, 1.05, 1, Vec3{-3, 0, -1}, true};
  }
};

}  // namespace fitup::test
