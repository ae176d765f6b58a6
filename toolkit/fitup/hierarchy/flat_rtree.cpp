#include <fitup/hierarchy/flat_rtree.h>

#include <limits>

#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/geometries/register/box.hpp>
#include <boost/geometry/index/detail/rtree/utilities/view.hpp>
#include <boost/geometry/index/rtree.hpp>

#include <fitup/base/error.h>
#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/detail/box_query.h>

namespace fitup {
namespace {

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

using BoostPoint = bg::model::point<float, 3, bg::cs::cartesian>;
using BoostBox = bg::model::box<BoostPoint>;
using Value = std::pair<BoostBox, std::uint32_t>;
using Parameters = bgi::dynamic_quadratic;

/// Counts how often Boost reads the boxes of values. Boost does this all the time while it builds a tree, so
/// this is where progress is counted and the build is cancelled. Packing reads each value twice, when it
/// sorts and when it fills the leaves.
class BoxReads {
 public:
  explicit BoxReads(const WorkMeter& meter) : meter_(meter) {}
  void count() {
    if (++sinceLast_ < tuning::readsAtOnce) return;
    sinceLast_ = 0;
    meter_.poll();
    if (left_ < tuning::readsAtOnce) return;
    left_ -= tuning::readsAtOnce;
    meter_.advance(tuning::readsAtOnce);
  }
  /// Sets the number of reads to report, whatever the actual number.
  void expect(std::uint64_t reads) { left_ = reads; }
  void finish() const { meter_.advance(left_); }

 private:
  const WorkMeter& meter_;
  std::uint32_t sinceLast_ = 0;
  std::uint64_t left_ = 0;
};

class CountedBox {
 public:
  using result_type = const BoostBox&;
  explicit CountedBox(BoxReads* reads = nullptr) : reads_(reads) {}
  result_type operator()(const Value& value) const {
    if (reads_ != nullptr) reads_->count();
    return value.first;
  }

 private:
  BoxReads* reads_;
};

using Tree = bgi::rtree<Value, Parameters, CountedBox>;

BoostBox toBoost(const Aabb& b) { return {{b.min.x, b.min.y, b.min.z}, {b.max.x, b.max.y, b.max.z}}; }

Aabb fromBoost(const BoostBox& b) {
  return {{bg::get<bg::min_corner, 0>(b), bg::get<bg::min_corner, 1>(b), bg::get<bg::min_corner, 2>(b)},
          {bg::get<bg::max_corner, 0>(b), bg::get<bg::max_corner, 1>(b), bg::get<bg::max_corner, 2>(b)}};
}

RTreeEntry entryOf(const Aabb& box, std::uint32_t first, std::uint32_t count) {
  return {box.min, first, box.max, count};
}

/// The only code that looks inside Boost's tree. Node access exists only in its `detail` namespace (Boost
/// 1.74).
template <typename MembersHolder>
class CopyNodes : public MembersHolder::visitor_const {
 public:
  CopyNodes(std::vector<RTreeEntry>& entries, const WorkMeter& meter) : entries_(entries), meter_(meter) {}

  void operator()(typename MembersHolder::internal_node const& node) {
    const auto& elements = bgi::detail::rtree::elements(node);
    const std::uint32_t own = begin(elements.size());
    meter_.poll();
    if (++depth_ >= maxRTreeDepth) throw RangeError("R-tree: too deep; a larger fan-out is needed");
    for (std::size_t i = 0; i < elements.size(); ++i) {
      bgi::detail::rtree::apply_visitor(*this, *elements[i].second);
      entries_[own + i] = entryOf(lastBox_, lastFirst_, lastCount_);
    }
    --depth_;
    finish(own, elements.size());
  }

  void operator()(typename MembersHolder::leaf const& node) {
    const auto& elements = bgi::detail::rtree::elements(node);
    const std::uint32_t own = begin(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i)
      entries_[own + i] = entryOf(fromBoost(elements[i].first), elements[i].second, 0);
    meter_.advance(elements.size());
    finish(own, elements.size());
  }

  [[nodiscard]] RTreeRoot root() const { return {lastFirst_, lastCount_, lastBox_}; }

 private:
  std::uint32_t begin(std::size_t count) {
    const auto own = static_cast<std::uint32_t>(entries_.size());
    entries_.resize(entries_.size() + count);
    return own;
  }
  // Boxes are computed again from the entries, so they are tight whatever Boost stores in its inner nodes.
  void finish(std::uint32_t own, std::size_t count) {
    lastFirst_ = own;
    lastCount_ = static_cast<std::uint32_t>(count);
    lastBox_ = {};
    for (std::size_t i = 0; i < count; ++i) lastBox_.extend(entries_[own + i].box());
  }

  std::vector<RTreeEntry>& entries_;
  const WorkMeter& meter_;
  Aabb lastBox_;
  std::uint32_t lastFirst_ = 0, lastCount_ = 0, depth_ = 0;
};

}  // namespace

RTreeRoot appendRTree(std::span<const Aabb> boxes, const RTreeOptions& options,
                      std::vector<RTreeEntry>& entries, const WorkMeter& meter) {
  if (options.fanOut < 2 || options.fanOut > maxRTreeFanOut)
    throw InputError(
        "R-tree", "fan-out",
        std::to_string(options.fanOut) + " is not between 2 and " + std::to_string(maxRTreeFanOut));
  if (boxes.empty()) return {};
  // A tree of n boxes has fewer than 2 n entries.
  if (boxes.size() + entries.size() / 2 > std::numeric_limits<std::uint32_t>::max() / 2)
    throw RangeError("R-tree: more than 2^31 boxes");

  std::vector<Value> values;
  values.reserve(boxes.size());
  polledLoop(boxes.size(), meter,
             [&](std::size_t i) { values.emplace_back(toBoost(boxes[i]), static_cast<std::uint32_t>(i)); });

  // Boost requires at least one entry for each node and at most half of the fan-out plus one after a split.
  const Parameters parameters(options.fanOut, std::max<std::size_t>(1, options.fanOut * 3 / 10));
  BoxReads reads(meter);
  reads.expect(2 * std::uint64_t{values.size()});
  const CountedBox counted(&reads);
  const Tree tree = [&] {
    if (options.build == RTreeBuild::packed) return Tree(values, parameters, counted);
    Tree grown(parameters, counted);
    for (const Value& value : values) grown.insert(value);
    return grown;
  }();
  reads.finish();

  using View = bgi::detail::rtree::utilities::view<Tree>;
  const View view(tree);
  CopyNodes<typename View::members_holder> copy(entries, meter);
  view.apply_visitor(copy);
  return copy.root();
}

void visitOverlapping(std::span<const RTreeEntry> entries, const RTreeRoot& root, const Aabb& box,
                      const std::function<void(std::uint32_t)>& visit) {
  std::uint64_t tests = 0, rejected = 0;
  detail::descend(entries.data(), root.first, root.count, detail::VectorBoxQuery(box), tests, rejected,
                  [&](std::uint32_t value) {
                    visit(value);
                    return false;
                  });
}

}  // namespace fitup
