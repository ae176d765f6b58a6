#include "fitting_track.h"

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/io/track_file.h>
#include <fitup/motion/replay.h>

namespace fitup::cli {

Track readFittingTrack(const std::string& file, const Assembly& assembly, bool force) {
  Track track = readTrack(file);
  if (!force && track.modelHash && *track.modelHash != assembly.contentHash())
    throw InputError(file, "modelHash",
                     "recorded on another model (" + hashText(*track.modelHash) + ", this one is " +
                         hashText(assembly.contentHash()) + "); --force uses it all the same");
  try {
    (void)resolve(track, assembly, true);
  } catch (const InputError& error) {
    throw InputError(file, "", error.what());
  }
  return track;
}

}  // namespace fitup::cli
