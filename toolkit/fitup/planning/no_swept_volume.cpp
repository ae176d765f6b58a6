#include <fitup/base/error.h>
#include <fitup/planning/swept_volume.h>

// Replaces swept_volume.cpp in builds without OpenVDB.

namespace fitup {

bool hasSweptVolumes() noexcept { return false; }

SweptVolume sweptVolume(const Scene& /*scene*/, const Track& /*track*/, const SweptVolumeOptions& /*options*/,
                        const Progress& /*progress*/) {
  throw NotBuiltError("swept volumes: this program was built without OpenVDB");
}

}  // namespace fitup
