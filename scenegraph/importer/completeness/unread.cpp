#include "unread.h"

#include <array>
#include <string>
#include <utility>

#include <fitup/io/file_bytes.h>
#include <fitup/io/formats.h>

namespace fitup::importers {
namespace {

/// OpenSceneGraph's reader ignores bones, morphs, plugins and keys, on which the scene depends.
void noteUnreadLightWaveScene(std::string_view, UnreadLog& log) {
  log.add("file",
          "it is unknown what OpenSceneGraph leaves out of a LightWave scene; convert it to .osgt or glTF",
          "");
}

}  // namespace

std::vector<ImportWarning> unreadOf(const std::filesystem::path& file) {
  using Scan = void (*)(std::string_view, UnreadLog&);
  constexpr std::array<std::pair<std::string_view, Scan>, 9> scans{{{".flt", noteUnreadOpenFlight},
                                                                    {".ac", noteUnreadAc3d},
                                                                    {".dxf", noteUnreadDxf},
                                                                    {".iv", noteUnreadInventor},
                                                                    {".wrl", noteUnreadInventor},
                                                                    {".lwo", noteUnreadLightWave},
                                                                    {".lws", noteUnreadLightWaveScene},
                                                                    {".dae", noteUnreadCollada},
                                                                    {".osg", noteUnreadOldOsg}}};
  const std::string extension = lowerExtension(file);
  for (const auto& [known, scan] : scans) {
    if (known != extension) continue;
    UnreadLog log;
    scan(FileBytes::map(file)->text(), log);
    return log.warnings();
  }
  return {};
}

}  // namespace fitup::importers
