#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fitup/planning/removal.h>

namespace fitup::detail {

/// A piece of a way: a shift or, with a turn, a turn or screw. The motion is in the world.
struct WayPiece {
  Vec3 shift;
  std::optional<AxisTurn> turn{};
  /// Set: straight to this motion from the start of the way, with the turn that it has; `shift` is not used.
  std::optional<RigidMotion> to{};

  [[nodiscard]] WayPiece shortened(double share) const;
};

/// What is known of a way.
struct TestedWay {
  CertifyReport report;
  /// The piece that holds the end of what is certain, and the share of it.
  std::size_t piece = 0;
  double share = 0;
};

/// Makes tracks of ways that begin where the moved instances are, and certifies them. Any search for a way
/// asks this one, so that all of them answer the same question.
///
/// Keeps references to the scene, the options and the progress. Not thread-safe.
class WayTester {
 public:
  WayTester(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
            const RemovalOptions& options, const Progress& progress);

  /// The moved instances, in ascending order, and the box about them at the start.
  [[nodiscard]] const std::vector<NodeId>& instances() const noexcept { return instances_; }
  [[nodiscard]] double size() const noexcept { return size_; }  ///< diagonal of that box
  [[nodiscard]] double restSize() const noexcept {              ///< diagonal of the box about everything else
    return rest_.empty() ? 0 : 2 * norm(rest_.halfExtent());
  }
  /// The motion after all pieces, and the length of the path of the centre of the box.
  [[nodiscard]] RigidMotion endOf(std::span<const WayPiece> pieces) const;
  [[nodiscard]] double lengthOf(std::span<const WayPiece> pieces) const;
  /// How far the instances, moved by a motion, go along a unit direction until the boxes are apart. Nothing
  /// if there is nothing else; 0 if they are apart.
  [[nodiscard]] std::optional<double> lengthOut(const RigidMotion& from, const Vec3& direction) const;

  [[nodiscard]] Track trackOf(std::span<const WayPiece> pieces) const;
  /// Certifies a way, ignoring the pairs of moved instances with `without`.
  [[nodiscard]] TestedWay test(std::span<const WayPiece> pieces, std::span<const NodeId> without = {});
  /// Certifies the same way in a scene whose parts have other shapes, with at most so many queries. Unless
  /// `only` is empty, and unless the rules have sets to check, only pairs with these are looked at.
  [[nodiscard]] TestedWay testIn(const Scene& changed, std::span<const WayPiece> pieces,
                                 std::size_t maxQueries, std::span<const NodeId> only);

  /// How near a certified way leads to what rests, in what is left of the time.
  [[nodiscard]] WayProfile profileOf(const Certificate& certificate) const;

  [[nodiscard]] std::size_t tried() const noexcept { return tried_; }
  [[nodiscard]] std::size_t queries() const noexcept { return queries_; }
  /// True if the time is over, or the search cancelled; `status` says which.
  [[nodiscard]] bool isOver();
  /// The same of a share of the time.
  [[nodiscard]] bool isOver(double share);
  /// The share of the time that has passed; 0 without a budget of time.
  [[nodiscard]] double shareOfTime() const;
  [[nodiscard]] ReportStatus status() const noexcept { return status_; }

 private:
  [[nodiscard]] QueryLimits limitsLeft() const;
  [[nodiscard]] TestedWay certified(const Scene& scene, const Track& track, Rules rules,
                                    std::size_t maxQueries);
  [[nodiscard]] Rules rulesWithout(std::span<const NodeId> without) const;

  const Scene& scene_;
  const Poses& poses_;
  const RemovalOptions& options_;
  const Progress& progress_;
  std::vector<NodeId> instances_;
  std::vector<std::string> paths_;  ///< of the track
  std::vector<RigidMotion> start_;  ///< of each path, from the design
  std::vector<Vec3> corners_;       ///< of the boxes of the instances, in the world
  Vec3 centre_;
  double size_ = 0, margin_ = 0;
  Box rest_;
  std::uint64_t modelHash_ = 0;
  std::chrono::steady_clock::time_point begin_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::size_t tried_ = 0, queries_ = 0;
  ReportStatus status_ = ReportStatus::complete;
};

}  // namespace fitup::detail
