#include "toolkit/planning/way_oracle.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

#include <fitup/motion/track_poses.h>
#include <fitup/motion/verify_certificate.h>
#include <fitup/query/distance.h>
#include <fitup/query/penetration.h>
#include <fitup/query/verdict.h>

namespace fitup::test {
namespace {

double depthOf(const PosedSolid& a, const PosedSolid& b, double deeperThan) {
  PenetrationRequest request;
  request.deeperThan = deeperThan;
  double depth = 0;
  for (const PenetrationRegion& region : penetration(a, b, request).regions)
    depth = std::max(depth, region.depth);
  return depth;
}

/// The moved instances of a track at a time.
Poses posesAt(const Assembly& assembly, const TrackPoses& track, double time) {
  Poses poses;
  const std::vector<RigidMotion> motions = track.at(time);
  for (std::size_t i = 0; i < motions.size(); ++i)
    for (const NodeId instance : track.groups()[i].instances)
      poses.set(instance, movedPlacement(assembly, instance, motions[i]));
  return poses;
}

}  // namespace

std::string problemOnWay(const Scene& scene, const RemovalReport& report, const RemovalOptions& options,
                         std::size_t samples) {
  const Certificate& certificate = report.way->certificate;
  const Track& track = certificate.track;
  const TrackPoses poses(track, scene.assembly());
  std::vector<NodeId> moved;
  for (const std::string& path : track.moved)
    for (const NodeId instance : scene.assembly().instancesBelow(scene.assembly().at(path)))
      moved.push_back(instance);
  const auto isMoved = [&](NodeId node) { return std::ranges::find(moved, node) != moved.end(); };
  const double last = static_cast<double>(track.steps.size() - 1);
  for (const NodeId a : moved)
    for (const NodeId b : scene.instances()) {
      if (isMoved(b)) continue;
      const auto at = [&](double time) { return posesAt(scene.assembly(), poses, time); };
      const Poses start = at(0);
      const PosedSolid solidA = scene.posedSolid(a, start), solidB = scene.posedSolid(b);
      double t = 0;
      if (options.tolerance)
        t = *options.tolerance;
      else
        t = solidA.solid->mesh().deflection() && solidB.solid->mesh().deflection()
                ? defaultTolerance(solidA, solidB)
                : minimumTolerance(solidA, solidB);
      const bool isContact =
          distance(scene.posed(a, start), scene.posed(b)).distance() <= std::max(t, options.clearance);
      double limit = 0;
      if (isContact) {
        const double errors = largestChordError(scene.posed(a)) + largestChordError(scene.posed(b));
        limit = std::max(t, depthOf(solidA, solidB, t / 4) + std::max(errors, t / 2));
      }
      for (std::size_t k = 0; k <= samples; ++k) {
        const double time = last * static_cast<double>(k) / static_cast<double>(samples);
        const Poses now = at(time);
        const std::string where = " at " + std::to_string(time) + ": " + scene.assembly().path(b);
        if (isContact) {
          const PosedSolid posedA = scene.posedSolid(a, now);
          if (depthOf(posedA, solidB, limit) > limit * (1 + 1e-6)) return "too deep" + where;
        } else if (!(distance(scene.posed(a, now), scene.posed(b)).distance() > options.clearance)) {
          return "too near" + where;
        }
      }
    }
  return {};
}

void requireWay(const Scene& scene, const RemovalReport& report, const RemovalOptions& options,
                std::size_t samples) {
  REQUIRE(report.answer == RemovalAnswer::certain);
  REQUIRE(report.way);
  const Certificate& certificate = report.way->certificate;
  CHECK(certificate.isWhole());
  CHECK(certificate.track.modelHash == scene.assembly().contentHash());
  CHECK(report.length > 0);
  CHECK(problemOnWay(scene, report, options, samples) == "");
  const CertificateCheck check = verifyCertificate(scene, certificate);
  CHECK(check.faults.empty());
  CHECK(check.refuted.empty());
  if (options.goal) return;
  const Poses end = posesAt(scene.assembly(), TrackPoses(certificate.track, scene.assembly()),
                            static_cast<double>(certificate.track.steps.size() - 1));
  Box moved, rest;
  for (const NodeId node : scene.instances())
    (end.find(node) != nullptr ? moved : rest).extend(scene.worldBounds(node, end));
  CHECK_FALSE(moved.overlaps(rest));
}

}  // namespace fitup::test
