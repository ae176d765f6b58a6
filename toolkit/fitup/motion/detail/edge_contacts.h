#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fitup/motion/detail/contact_rows.h>

namespace fitup::detail {

/// Edges of the topologies of two parts that are near each other.
struct EdgePair {
  std::uint32_t moved = 0, resting = 0;
};

/// Adds the contacts (`contactRows`) of crossing edges.
void addEdgeContacts(const PlacedContactPart& moved, const PlacedContactPart& resting,
                     std::span<const EdgePair> near, const ContactReach& reach,
                     std::vector<ContactRow>& rows);

}  // namespace fitup::detail
