#include "slide_tasks.h"

#include <filesystem>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/io/read_assembly.h>
#include <models/process_plant.h>

namespace fitup::bench {
namespace {

/// What a hand draws along a line.
struct Drawn {
  std::vector<std::string> instances;  ///< one rigid group
  Vec3 direction;                      ///< unit, in the world
  std::string stopsAt{};
};

/// The parts of a file, all drawn equally far by hands that are equally unsteady.
struct DrawnModel {
  std::string file;
  double length = 0;
  int events = 0;  ///< poses of the way
  double positionNoise = 0, angleNoise = 0;
  std::vector<Drawn> parts;
};

/// The directions are those in which the parts come out straight, or meet the part that stops them, by
/// `firstContact`.
std::vector<DrawnModel> drawnModels() {
  constexpr Vec3 right{1, 0, 0}, left{-1, 0, 0}, up{0, 0, 1}, down{0, 0, -1};
  DrawnModel as1{"as1-oc-214.stp", 80, 80, 0.5, 0.05, {}};
  as1.parts = {{{"as1/rod-assembly_1/nut_1"}, right}, {{"as1/rod-assembly_1/nut_2"}, left}};
  for (const std::string bracket : {"as1/l-bracket-assembly_1/", "as1/l-bracket-assembly_2/"})
    for (const std::string fastener :
         {"nut-bolt-assembly_1/", "nut-bolt-assembly_2/", "nut-bolt-assembly_3/"}) {
      // The rod lies over the first bolt of each bracket, 22 mm above its head.
      const bool isUnderRod = fastener == "nut-bolt-assembly_1/";
      as1.parts.push_back(
          {{bracket + fastener + "bolt_1"}, up, isUnderRod ? "as1/rod-assembly_1/rod_1" : ""});
      as1.parts.push_back({{bracket + fastener + "nut_3"}, down});
    }
  // The pin is riveted to the bracket of the base, with which it comes out of the other bracket.
  const std::string hinge = "GFW30_HINGE_R_ASSY_2D_ASM/";
  return {as1,
          {"13_5_hinge_R_assy.stp",
           40,
           80,
           0.2,
           0.05,
           {{{hinge + "GFW30_HINGE_R_AXIS_0703", hinge + "GFW30_HINGE_R_BASE_BRK",
              hinge + "GFW30_BASE_HINGE_RIVET_R#1", hinge + "GFW30_BASE_HINGE_RIVET_R#2"},
             right}}}};
}

std::vector<SlideTask> tasksOf(const DrawnModel& model) {
  std::vector<SlideTask> tasks;
  for (const Drawn& part : model.parts) {
    SlideTask task{part.instances, {}, model.positionNoise, model.angleNoise, part.stopsAt};
    for (int k = 1; k <= model.events; ++k)
      task.way.push_back({{}, model.length * k / model.events * part.direction});
    tasks.push_back(std::move(task));
  }
  return tasks;
}

/// The spool that follows its own track out of the plant.
SlideModel plant() {
  const models::ProcessPlantOptions options{.clearance = 0.5};
  // Its meshes have no chord errors, of which tolerances are made. This one is a fifth of the clearance.
  SlideModel model{"plant", models::makeProcessPlant(options), 0.1, {}};
  SlideTask task{{models::spoolPath}, {}, 0, 0.02};
  const Box box = model.assembly.worldBounds(model.assembly.at(models::spoolPath));
  task.positionNoise = 0.005 * 2 * norm(box.halfExtent());
  for (const std::vector<RigidMotion>& step : models::makeSpoolTrack(model.assembly, options).steps)
    task.way.push_back(step.front());
  model.tasks.push_back(std::move(task));
  return model;
}

}  // namespace

SlideModel slideModel(const std::string& nameOrFile) {
  if (nameOrFile == "plant") return plant();
  const std::string file = std::filesystem::path(nameOrFile).filename().string();
  for (const DrawnModel& model : drawnModels())
    if (file == model.file) return {file, readAssembly(nameOrFile).assembly, {}, tasksOf(model)};
  std::string known = "plant";
  for (const DrawnModel& model : drawnModels()) known += std::string(", ") + model.file;
  throw InputError("--slides", nameOrFile, "has no parts that are drawn out; there are: " + known);
}

}  // namespace fitup::bench
