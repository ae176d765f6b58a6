#include <fitup/base/error.h>
#include <fitup/planning/tree_search.h>

namespace fitup {

bool hasTreeSearch() noexcept { return false; }
std::shared_ptr<const PoseSearch> treeSearch() {
  throw NotBuiltError("this build cannot search for ways with trees: it was made without OMPL");
}

}  // namespace fitup
