#include "command_line.h"

#include <algorithm>

#include <fitup/io/model_file.h>
#include <fitup/io/track_file.h>
#include <models/process_plant.h>

#include "tiny_meshes.h"

namespace fitup::test {

ProgramResult CommandLine::operator()(const std::vector<std::string>& arguments, RunOptions options) const {
  if (options.folder.empty()) options.folder = folder_.path();
  options.environment.emplace_back("XDG_CACHE_HOME",
                                   cache_.path().string());  // settings of the test come first
  return runProgram(FITUP_PROGRAM, arguments, options);
}

void CommandLine::writeRow(int count, std::string_view name) const {
  Model model;
  model.assembly = Assembly("row");
  const PartId part = model.assembly.addPart(sixSidedBox(1, 1, 1));
  const NodeId root = model.assembly.addNode("row", {});
  for (int i = 0; i < count; ++i)
    model.assembly.addNode("cube-" + std::to_string(i), Transform::translation({2.0 * i, 0, 0}), root, part);
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  writeModelFile(folder_ / name, model);
}

void CommandLine::writeSlide(const std::string& x, const std::string& y) const {
  writeText(folder_ / "slide.csv",
            "step,path,tx,ty,tz,qx,qy,qz,qw\n0,row/cube-0,0,0,0,0,0,0,1\n1,row/cube-0," + x + "," + y +
                ",0,0,0,0,1\n");
}

void CommandLine::writePlant() const {
  Model model;
  model.assembly = models::makeProcessPlant();
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  writeModelFile(folder_ / "plant.fitup", model);
  writeTrack(folder_ / "plant.track.json", models::makeSpoolTrack(model.assembly));
}

std::string problemOfFailure(const ProgramResult& result, const std::vector<std::string>& pieces) {
  if (result.exitCode != 2) return "exit code is not 2\n" + result.text();
  if (!result.out.empty()) return "something on the output\n" + result.text();
  if (!result.err.starts_with("fitup: "))
    return "the message does not begin with the program's name\n" + result.text();
  if (std::count(result.err.begin(), result.err.end(), '\n') != 1) return "not one line\n" + result.text();
  for (const std::string& piece : pieces)
    if (!contains(result.err, piece)) return "the message lacks '" + piece + "'\n" + result.text();
  return {};
}

}  // namespace fitup::test
