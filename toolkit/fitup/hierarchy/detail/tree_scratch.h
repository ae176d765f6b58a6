#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include <fitup/hierarchy/detail/found_surfaces.h>
#include <fitup/hierarchy/hierarchy_tree.h>
#include <fitup/hierarchy/wide_traversal.h>

namespace fitup {
namespace detail {

struct ScdScratch {
  /// For each surface of A: the last surface of B with which it was a candidate, or was found, plus one.
  std::vector<std::uint32_t> candidateOf, foundOf;
};

}  // namespace detail

struct TreeScratch::Data {
  /// For all kinds that descend two binary trees: storage of a `VisitStack`, and the surfaces found.
  std::vector<std::byte> visits;
  detail::FoundSurfaces found;
  detail::ScdScratch scd;
  WideScratch wide;
};

}  // namespace fitup

namespace fitup::detail {

/// Visits that a traversal still has to make, last in, first out, in storage that outlives the query. The
/// stack is on the heap, because trees of adversarial meshes are deeper than the program stack.
template <typename Visit>
class VisitStack {
 public:
  static_assert(std::is_trivially_copyable_v<Visit>);

  explicit VisitStack(std::vector<std::byte>& storage) : storage_(storage) {}

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  void push(const Visit& visit) {
    if (size_ + sizeof(Visit) > storage_.size()) storage_.resize(2 * storage_.size() + 64 * sizeof(Visit));
    std::memcpy(storage_.data() + size_, &visit, sizeof(Visit));
    size_ += sizeof(Visit);
  }
  Visit pop() noexcept {
    size_ -= sizeof(Visit);
    Visit visit;
    std::memcpy(&visit, storage_.data() + size_, sizeof(Visit));
    return visit;
  }

 private:
  std::vector<std::byte>& storage_;
  std::size_t size_ = 0;
};

}  // namespace fitup::detail
