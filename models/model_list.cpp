#include <models/model_list.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <fitup/base/error.h>
#include <models/crossed_rods.h>
#include <models/grid.h>
#include <models/large_assembly.h>
#include <models/process_plant.h>
#include <models/sphere.h>
#include <models/torus.h>
#include <models/ways_out.h>
#include <models/wrinkled.h>

namespace fitup::models {
namespace {

Assembly single(const std::string& name, TriangleMesh mesh) {
  Assembly assembly(name);
  assembly.addNode(name, {}, {}, assembly.addPart(std::make_shared<const TriangleMesh>(std::move(mesh))));
  return assembly;
}

/// Patches are of whole quads.
void setPatches(TorusOptions& torus, const std::string& model, int patches) {
  const int most = std::min(torus.around, torus.across);
  if (patches > most)
    throw InputError(model, "patches " + std::to_string(patches), "it has at most " + std::to_string(most));
  torus.patchesAround = torus.patchesAcross = patches;
}

TorusOptions torusOf(const GenerateOptions& options) {
  TorusOptions torus;
  if (options.triangles) {
    const double quads = static_cast<double>(std::max<std::size_t>(*options.triangles, 18)) / 2;
    torus.around = std::max(3, static_cast<int>(std::lround(std::sqrt(quads * 1.25))));
    torus.across = std::max(3, static_cast<int>(std::lround(quads / torus.around)));
  }
  setPatches(torus, "torus", options.patches);
  return torus;
}

int sphereFrequency(const GenerateOptions& options) {
  if (!options.triangles) return 40;
  return std::max(1, static_cast<int>(std::lround(std::sqrt(static_cast<double>(*options.triangles) / 20))));
}

std::optional<WayOutScene> wayOutScene(const std::string& name, const GenerateOptions& options) {
  if (name == "alpha") return makeAlpha(options.gap.value_or(1.5));
  if (name == "bug-trap") return makeBugTrap(options.gap.value_or(1.2));
  if (name == "flange") return makeFlange(options.gap.value_or(1.2));
  if (name == "ring") return makeRingOnLoop();
  if (name == "burr-3") return makeBurr3(options.play.value_or(0.2));
  if (name == "burr-6") return makeBurr6(options.play.value_or(0.2), options.locked);
  if (name == "pump-cover") return makePumpCover(options.play.value_or(0.5));
  if (name == "screw") return makeScrew(options.play.value_or(0.5));
  if (name == "peg") return makePeg(options.play.value_or(0.005));
  return std::nullopt;
}

}  // namespace

std::vector<std::string> names() {
  return {"plant",    "grid",   "torus", "spheres", "wrinkled", "rods",       "large", "alpha",
          "bug-trap", "flange", "ring",  "burr-3",  "burr-6",   "pump-cover", "screw", "peg"};
}

Assembly generate(const std::string& name, const GenerateOptions& options) {
  if (name == "plant") return makeProcessPlant({.clearance = options.clearance});
  if (name == "grid") return single("grid", makeGrid());
  if (name == "torus") return single("torus", makeTorus(torusOf(options)));
  if (name == "spheres") return makeConcentricSpheres(options.gap.value_or(0.1), sphereFrequency(options));
  if (name == "wrinkled") {
    TorusOptions torus = wrinkledTorus();
    setPatches(torus, "wrinkled", options.patches);
    return makeWrinkledPair(torus);
  }
  if (name == "rods") return makeCrossedRods();
  if (name == "large") {
    LargeAssemblyOptions large;
    large.parts = options.parts.value_or(large.parts);
    // As many a part as in the whole hall, unless asked otherwise.
    large.triangles =
        options.triangles.value_or(large.triangles * large.parts / LargeAssemblyOptions().parts);
    return makeLargeAssembly(large);
  }
  if (std::optional<WayOutScene> scene = wayOutScene(name, options)) return std::move(scene->assembly);
  std::string known;
  for (const std::string& n : names()) known += (known.empty() ? "" : ", ") + n;
  throw InputError("generate", name, "no such model; there are: " + known);
}

std::optional<Track> recordedTrack(const std::string& name, const Assembly& assembly,
                                   const GenerateOptions& options) {
  if (name == "plant") return makeSpoolTrack(assembly, {.clearance = options.clearance});
  if (name == "large") return makeLargeTrack(assembly);
  if (std::optional<WayOutScene> scene = wayOutScene(name, options)) return std::move(scene->way);
  return std::nullopt;
}

}  // namespace fitup::models
