#include "keep_outs.h"

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/hierarchy/point_query.h>

#include "console.h"

namespace fitup::cli {

std::vector<KeepOut> readKeepOuts(const std::vector<std::string>& files, const ReadOptions& read,
                                  Model& model, Rules& rules, const Progress& progress) {
  std::vector<KeepOut> keepOuts =
      addKeepOuts(model, std::vector<std::filesystem::path>(files.begin(), files.end()), read, progress);
  const std::vector<Rule> first = rulesOf(keepOuts, model.assembly);
  rules.rules.insert(rules.rules.begin(), first.begin(), first.end());
  for (const KeepOut& keepOut : keepOuts)
    if (const std::string path = model.assembly.path(keepOut.instance);
        !rules.inSetA(path) && !rules.inSetB(path))
      throw InputError("--keep-out", "'" + path + "'",
                       "is in neither of the sets to which the rules restrict the check");
  return keepOuts;
}

void sayKeepOuts(const Assembly& assembly, const std::vector<KeepOut>& keepOuts) {
  for (const KeepOut& keepOut : keepOuts)
    say("{}: the space that {}{} needs\n", assembly.path(keepOut.instance),
        assembly.path(keepOut.makers.front()),
        keepOut.makers.size() > 1 ? fmt::format(" with {} more", keepOut.makers.size() - 1) : "");
}

std::string sweptByText(const Scene& scene, const Poses& poses, const std::vector<KeepOut>& keepOuts,
                        const PairInterference& pair, const Vec3& point) {
  for (const KeepOut& keepOut : keepOuts) {
    if (keepOut.instance != pair.a && keepOut.instance != pair.b) continue;
    const CollisionModel& model = scene.modelOf(keepOut.instance);
    const Vec3 local = scene.worldFromPart(keepOut.instance, poses).inverse().apply(point);
    const auto nearest = PointQuery(model).closest(local - model.mesh().origin());
    if (!nearest) return "";
    return "swept by " + model.mesh().surfaces()[index(model.mesh().surfaceOf(nearest->triangle))].name;
  }
  return "";
}

}  // namespace fitup::cli
