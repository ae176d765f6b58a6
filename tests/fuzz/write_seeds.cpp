// Writes the seed corpus: FOLDER/<target>/, valid files made by this project's own writers.
#include <filesystem>
#include <iostream>

#include <fitup/io/model_file.h>
#include <fitup/io/project_file.h>
#include <fitup/io/report_file.h>
#include <fitup/io/rules_file.h>
#include <fitup/io/track_file.h>
#include <fitup/motion/track_edit.h>

#include "support/sample_model.h"
#include "support/sample_report.h"
#include "support/small_mesh_files.h"
#include "support/temporary_folder.h"
#include "support/tessellated_step_file.h"

using namespace fitup;
using namespace fitup::test;

namespace {

Track sampleTrack() {
  return {"pull, \"out\"",
          "in",
          0xdeadbeefU,
          {"top/rod#1", "top/nut, M6"},
          {{{}, {{}, {0.25, -1e-9, 1e12}}},
           {{{0, 0, 0.6, 0.8}, {1, 2, 3}}, {{0, 1, 0, 0}, {0, 0, 0}}},
           {{}, {}}}};
}

/// With a turn, a screw and a pivot.
Track sampleTurns() {
  Track track = sampleTrack();
  track.ways = {{{}, {}},
                {{AxisTurn{{1, 2, 3}, {0, 0, 2}, 270, 0}, {}}, {{}, Vec3{1e6, 0, -2}}},
                {{AxisTurn{{0, 1, 0}, {1, 0, 0}, -750, 0.5}, {}}, {}}};
  followTurns(track);
  return track;
}

Rules sampleRules() {
  Rules rules;
  rules.rules = {{"*bolt*", "*", "threads", RuleAction::ignore},
                 {"top/rod", "*", "", RuleAction::clearance, 0.1},
                 {"top/?ate", "*nut*", "press fit", RuleAction::allowContact}};
  rules.check = CheckSets{{"top/rod", "top/bolt*"}, {"*"}};
  return rules;
}

Project sampleProject(const std::filesystem::path& folder) {
  Project project;
  project.models = {folder / "assembly.step"};
  project.modelHash = 0x123456789abcdef0U;
  project.moved = {{"top/rod", {{0, 0, 0.6, 0.8}, {0.1, -2.5e-7, 3}}}};
  project.rules = sampleRules();
  project.tolerance = 0.1;
  project.tracks = {sampleTrack()};
  project.reviews = {{"00112233445566aa", {ReviewStatus::approved, "as designed"}}};
  project.hidden = {"top/plate"};
  project.ghosted = {"top/nut, M6"};
  project.looks = {{"top/plate", {0xff8000U, 40}}};
  project.viewpoint = Viewpoint{{1, 2, 3}, {0.1, 0.2, 0.3}, {0, 0, 1}};
  project.namedViews = {{"from above", {{0, 0, 9}, {}, {0, 1, 0}}}};
  project.sections = {{{0, 0.6, 0.8}, -12.5, true}};
  return project;
}

/// Writes a model with triangle R-trees, one with the compact layout, and one without hierarchies, as
/// importers return it.
void writeModels(const std::filesystem::path& folder) {
  Model model = sampleModel();
  writeModelFile(folder / "whole", model);
  BuildOptions compact;
  compact.wide = WideBvhOptions{};
  compact.wide->layout = WideLayout::compact;
  model.collisionModels = buildCollisionModels(model.assembly, compact, {}, 1);
  writeModelFile(folder / "compact", model);
  model.collisionModels.clear();
  writeModelFile(folder / "meshes", model);
}

constexpr std::string_view stepText =
    "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('it''s'),'2;1');\nENDSEC;\nDATA;\n"
    "#1=CARTESIAN_POINT('',(0.,1.E1,-2.));\n#2 = ADVANCED_FACE ( 'a=b', (#1), #1, .T. ) ;\n"
    "#3=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));/* #4=X(); */\n"
    "#5=MANIFOLD_SOLID_BREP('',#2);\nENDSEC;\nEND-ISO-10303-21;\n";

constexpr std::string_view mtlText =
    "# made by hand\nnewmtl red paint\nKa 0 0 0\nKd 1 .25 0\nd 0.5\nillum 2\nnewmtl glass\nKd 0.5\nTr 0.75\n"
    "newmtl spectral\nKd spectral file.rfl 1\nnewmtl halo\nd -halo 0.1\nmap_Kd ../up.png\n";

std::string igesText() {
  const auto line = [](std::string text, char section, int number) {
    text.resize(72, ' ');
    const std::string count = std::to_string(number);
    return text + section + std::string(7 - count.size(), ' ') + count + "\n";
  };
  return line("small", 'S', 1) + line("1H,,1H;,5Hsmall;", 'G', 1) + line("     144       1", 'D', 1) +
         line("     144       0", 'D', 2) + line("144,1,0,0,3;", 'P', 1) +
         line("S      1G      1D      2P      1", 'T', 1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const auto of = [&](const char* target) {
    std::filesystem::create_directories(folder / target);
    return folder / target;
  };
  writeModels(of("model_file"));
  writeTrack(of("track_json") / "track.json", sampleTrack());
  writeTrack(of("track_csv") / "track.csv", sampleTrack());
  writeTrack(of("track_json") / "turns.json", sampleTurns());
  writeTrack(of("track_csv") / "turns.csv", sampleTurns());
  writeProject(of("project") / "work.fitup-project", sampleProject(folder / "project"));
  writeRules(of("rules") / "rules.json", sampleRules());
  Rules old;
  old.wholePaths = true;
  old.rules = {{"*/bolt*", "*", "threads"}};
  writeRules(of("rules") / "version-1.json", old);
  writeReport(of("report") / "check.json", fullReport(ReportKind::check));
  writeReport(of("report") / "replay.json", fullReport(ReportKind::replay));
  writeReport(of("report") / "diff.json", fullReport(ReportKind::diff));
  writeText(of("step_text") / "small.step", stepText);
  writeText(of("step_tessellation") / "small.step", sampleTessellatedStep().text());
  writeText(of("iges_text") / "small.igs", igesText());
  writeText(of("mtl") / "small.mtl", mtlText);
  for (const SmallMeshFile& mesh : smallMeshFiles()) {
    const std::string extension = std::filesystem::path(mesh.name).extension().string().substr(1);
    const std::string target = mesh.isOwn
                                   ? "mesh_" + extension
                                   : (extension == "glb" ? "gltf" : "tds") + std::string("_declaration");
    writeText(of(target.c_str()) / mesh.name, mesh.bytes);
  }
  return 0;
}
