#pragma once

#include <span>
#include <vector>

#include <fitup/planning/removal.h>

namespace fitup::detail {

/// A direction to try, one sense of it.
struct WayDirection {
  Vec3 direction;  ///< unit, in the world
  RemovalSource source = RemovalSource::worldAxis;
  bool keepsContacts = false;
  double opening = 0;  ///< mean of normal . direction over the contacts
};

/// An axis about which moved parts may turn: of a round face of theirs, in the world.
struct WayAxis {
  Vec3 point, direction;
  double radius = 0;
};

/// A screw motion along which faces of moved parts slide in themselves, as threads do.
struct WayScrew {
  Vec3 point, direction;  ///< of the axis
  double pitch = 0;       ///< advance along the direction in a turn, below 0 for left-handed ones
};

struct WayCandidates {
  /// Both senses of each line. Those that keep all contacts to first order come first, then those that open
  /// them most, then in the order in which they were found.
  std::vector<WayDirection> directions;
  std::vector<WayAxis> axes;  ///< of faces in contact first, then by area
  std::vector<WayScrew> screws;
};

/// Gathers directions and axes from the contacts, the faces and the frames of the moved instances.
WayCandidates wayCandidates(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                            std::span<const ContactPlace> places);

}  // namespace fitup::detail
