#include <fitup/scene/detail/sweep_and_prune.h>

#include <algorithm>
#include <bit>

#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/flat_rtree.h>
#include <fitup/scene/broad_phase.h>

namespace fitup {
namespace {

/// Number of ends that may change places before everything is found anew, which costs about as much. Larger:
/// long moves of many boxes take longer. Smaller: short moves among crowded boxes trigger needless searches.
std::uint64_t mostSwaps(std::size_t ends) {
  return 100 + ends * static_cast<std::uint64_t>(std::bit_width(ends));
}

Aabb outward(const Box& b) {
  return {{floatBelow(b.min.x), floatBelow(b.min.y), floatBelow(b.min.z)},
          {floatAbove(b.max.x), floatAbove(b.max.y), floatAbove(b.max.z)}};
}

}  // namespace

SweepAndPrune::SweepAndPrune(std::span<const Box> boxes, const WorkMeter& meter, std::size_t most)
    : boxes_(boxes.begin(), boxes.end()), places_(2 * boxes.size()), partners_(boxes.size()), most_(most) {
  for (std::uint32_t id = 0; id < boxes_.size(); ++id)
    if (!boxes_[id].empty()) setEnds(id);
  findAnew(meter);
}

/// Appends the ends of a new box after all others.
void SweepAndPrune::setEnds(std::uint32_t id) {
  for (int axis = 0; axis < 3; ++axis) {
    Ends& ends = ends_[static_cast<std::size_t>(axis)];
    for (const End end : {End{boxes_[id].min[axis], 2 * id}, End{boxes_[id].max[axis], 2 * id + 1}}) {
      place(axis, end) = static_cast<std::uint32_t>(ends.size());
      ends.push_back(end);
    }
  }
}

void SweepAndPrune::takeAway(std::span<const std::uint32_t> ids) {
  if (ids.empty()) return;
  for (const std::uint32_t id : ids) {
    while (!partners_[id].empty()) removePair(id, partners_[id].back());
    boxes_[id] = Box();
  }
  for (int axis = 0; axis < 3; ++axis) {
    Ends& ends = ends_[static_cast<std::size_t>(axis)];
    std::erase_if(ends, [&](const End& end) { return boxes_[end.id()].empty(); });
    for (std::uint32_t i = 0; i < ends.size(); ++i) place(axis, ends[i]) = i;
  }
}

SweepAndPrune::Counts SweepAndPrune::move(std::span<const Moved> moved, const WorkMeter& meter) {
  swaps_ = 0;
  std::vector<std::uint32_t> gone, came, stayed;
  for (const Moved& m : moved) {
    if (m.id >= boxes_.size()) {
      boxes_.resize(m.id + 1);
      places_.resize(2 * boxes_.size());
      partners_.resize(boxes_.size());
    }
    if (boxes_[m.id].empty() && m.box.empty()) continue;
    (m.box.empty() ? gone : boxes_[m.id].empty() ? came : stayed).push_back(m.id);
  }
  takeAway(gone);
  const std::size_t endCount = ends_[0].size() + 2 * came.size();
  const std::uint64_t most = mostSwaps(endCount);
  // Otherwise boxes are handled one by one, and all others stay sorted meanwhile.
  const bool together = stayed.size() + came.size() > endCount / 2 / tuning::manyMoved;
  for (const Moved& m : moved) {
    if (m.box.empty()) continue;
    const bool isNew = boxes_[m.id].empty();
    boxes_[m.id] = m.box;
    if (isNew) setEnds(m.id);
    if (!together && swaps_ <= most) {
      meter.poll();
      sortIn(m.id, isNew);
      if (pairCount_ > most_) throwTooManyPairs(most_);
    }
  }
  if (!together && swaps_ <= most) return {swaps_, false};
  for (const std::uint32_t id : stayed)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ends_[axis][places_[2 * id][axis]].at = boxes_[id].min[static_cast<int>(axis)];
      ends_[axis][places_[2 * id + 1][axis]].at = boxes_[id].max[static_cast<int>(axis)];
    }
  if (together && sortAll(most)) {
    if (pairCount_ > most_) throwTooManyPairs(most_);
    return {swaps_, false};
  }
  findAnew(meter);
  return {swaps_, true};
}

/// Sorts in the ends of one changed box. The leading end in the direction of the move goes first, so that no
/// end meets the other end of its own box. A new box comes from above.
void SweepAndPrune::sortIn(std::uint32_t id, bool isNew) {
  for (int axis = 0; axis < 3; ++axis) {
    Ends& ends = ends_[static_cast<std::size_t>(axis)];
    std::uint32_t& low = places_[2 * id][static_cast<std::size_t>(axis)];
    std::uint32_t& high = places_[2 * id + 1][static_cast<std::size_t>(axis)];
    const bool upwards = !isNew && boxes_[id].max[axis] >= ends[high].at;
    ends[low].at = boxes_[id].min[axis];
    ends[high].at = boxes_[id].max[axis];
    for (std::uint32_t* end : {upwards ? &high : &low, upwards ? &low : &high}) {
      sink(axis, *end);
      rise(axis, *end);
    }
  }
}

/// Insertion sort of all lists. Every pair of ends in the wrong order changes places exactly once. The boxes
/// are already those after the move on all axes, so the first change that may begin a pair adds it, and none
/// removes it again. Returns false if it gives up, with the lists and pairs in any state.
bool SweepAndPrune::sortAll(std::uint64_t most) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto count = static_cast<std::uint32_t>(ends_[static_cast<std::size_t>(axis)].size());
    for (std::uint32_t i = 1; i < count; ++i) {
      sink(axis, i);
      if (swaps_ > most) return false;
    }
  }
  return true;
}

void SweepAndPrune::sink(int axis, std::uint32_t from) {
  Ends& ends = ends_[static_cast<std::size_t>(axis)];
  const End end = ends[from];
  std::uint32_t i = from;
  for (; i > 0 && end.before(ends[i - 1]); --i) {
    passed(end, ends[i - 1]);
    ends[i] = ends[i - 1];
    place(axis, ends[i]) = i;
  }
  if (i == from) return;
  swaps_ += from - i;
  ends[i] = end;
  place(axis, end) = i;
}

void SweepAndPrune::rise(int axis, std::uint32_t from) {
  Ends& ends = ends_[static_cast<std::size_t>(axis)];
  const End end = ends[from];
  std::uint32_t i = from;
  for (; i + 1 < ends.size() && ends[i + 1].before(end); ++i) {
    passed(ends[i + 1], end);
    ends[i] = ends[i + 1];
    place(axis, ends[i]) = i;
  }
  if (i == from) return;
  swaps_ += i - from;
  ends[i] = end;
  place(axis, end) = i;
}

/// Handles a change of places of two ends, after which `left` is before `right`.
void SweepAndPrune::passed(End left, End right) {
  const std::uint32_t a = left.id(), b = right.id();
  if (left.side() == right.side() || a == b) return;
  if (left.side() == 1)
    removePair(a, b);  // an upper end before a lower one
  else if (boxes_[a].overlaps(boxes_[b]))
    addPair(a, b);
}

void SweepAndPrune::findAnew(const WorkMeter& meter) {
  for (int axis = 0; axis < 3; ++axis) {
    Ends& ends = ends_[static_cast<std::size_t>(axis)];
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
      return a.before(b) || (!b.before(a) && a.idAndSide < b.idAndSide);
    });
    for (std::uint32_t i = 0; i < ends.size(); ++i) place(axis, ends[i]) = i;
  }
  for (auto& partners : partners_) partners.clear();
  pairCount_ = 0;
  std::vector<std::uint32_t> ids;
  std::vector<Aabb> outer;
  for (std::uint32_t id = 0; id < boxes_.size(); ++id)
    if (!boxes_[id].empty()) {
      ids.push_back(id);
      outer.push_back(outward(boxes_[id]));
    }
  std::vector<RTreeEntry> entries;
  const RTreeRoot root = appendRTree(outer, {}, entries, meter);
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    meter.poll();
    visitOverlapping(entries, root, outer[i], [&](std::uint32_t j) {
      if (j <= i || !boxes_[ids[i]].overlaps(boxes_[ids[j]])) return;
      if (pairCount_ >= most_) throwTooManyPairs(most_);
      partners_[ids[i]].push_back(ids[j]);
      partners_[ids[j]].push_back(ids[i]);
      ++pairCount_;
    });
  }
}

void SweepAndPrune::addPair(std::uint32_t a, std::uint32_t b) {
  const auto& fewer = partners_[a].size() < partners_[b].size() ? partners_[a] : partners_[b];
  if (std::find(fewer.begin(), fewer.end(), &fewer == &partners_[a] ? b : a) != fewer.end()) return;
  partners_[a].push_back(b);
  partners_[b].push_back(a);
  ++pairCount_;
}

void SweepAndPrune::removePair(std::uint32_t a, std::uint32_t b) {
  if (partners_[b].size() < partners_[a].size()) std::swap(a, b);
  const auto takeOut = [&](std::uint32_t of, std::uint32_t id) {
    std::vector<std::uint32_t>& list = partners_[of];
    const auto at = std::find(list.begin(), list.end(), id);
    if (at == list.end()) return false;
    *at = list.back();
    list.pop_back();
    return true;
  };
  if (!takeOut(a, b)) return;
  takeOut(b, a);
  --pairCount_;
}

}  // namespace fitup
