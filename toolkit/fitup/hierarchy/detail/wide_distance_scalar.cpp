#undef HWY_COMPILE_ONLY_STATIC  // tests/fuzz/run.sh defines it
#define HWY_COMPILE_ONLY_SCALAR
#define FITUP_LANES plainLanes
#include <fitup/hierarchy/detail/wide_distance-inl.h>
#include <fitup/hierarchy/detail/wide_distance_task.h>

namespace fitup::detail {

DistanceProgress nearestWideScalar(const WideDistanceRun& run) { return plainLanes::nearest(run); }

}  // namespace fitup::detail
