#include <fitup/hierarchy/query_mode.h>

namespace fitup {

std::string_view name(QueryMode mode) noexcept {
  switch (mode) {
    case QueryMode::firstSurfacePair:
      return "first";
    case QueryMode::allSurfacePairs:
      return "surfaces";
    case QueryMode::allTrianglePairs:
      return "triangles";
  }
  return "unknown";
}

std::string_view name(OverlapBoxSetting setting) noexcept {
  switch (setting) {
    case OverlapBoxSetting::on:
      return "on";
    case OverlapBoxSetting::off:
      return "off";
    case OverlapBoxSetting::classical:
      return "classical";
  }
  return "unknown";
}

std::string_view name(BoxTest test) noexcept {
  switch (test) {
    case BoxTest::usual:
      return "usual";
    case BoxTest::full:
      return "full";
    case BoxTest::lite:
      return "lite";
    case BoxTest::aligned:
      return "aligned";
  }
  return "unknown";
}

}  // namespace fitup
