#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <regex>

#include <fitup/base/error.h>

#include "support/command_line.h"
#include "support/import_checks.h"
#include "support/temporary_folder.h"

namespace step_completeness_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("solids that the library makes nothing of are named, what it does not know is no obstacle",
          "[importers]") {
  // tests/regressions/2026-shapes-not-translated
  const std::filesystem::path folder = FITUP_SOURCE_DIR "/tests/regressions/2026-shapes-not-translated";
  if (!cadImporter()) {
    WARN("skipped: the CAD importer is absent");
    return;
  }
  const auto missing = [](const Model& model) {
    std::string text;
    for (const ImportWarning& warning : model.warnings)
      if (warning.incomplete) text += warning.element + ": " + warning.message + "\n";
    return text;
  };
  const Model step = import(folder / "solids.step");
  CHECK(countsOf(step).instances == 2);
  CHECK(countsOf(step).faces == 12);
  CHECK_THAT(missing(step), Catch::Contains("solid #216: was not transferred") &&
                                Catch::Contains("entity #374: TESSELLATED_SOLID is not read"));
  const Model block = import(folder / "block.igs");
  CHECK(countsOf(block).faces == 1);
  CHECK_THAT(missing(block), Catch::Contains("solid D17: was not transferred"));
}

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

void writeStep(const std::filesystem::path& file, const std::string& mode = "MM") {
  const std::string command = "cd '" + file.parent_path().string() + "' && " +
                              std::string(FITUP_WRITE_TEST_STEP) + " " + file.filename().string() + " " +
                              mode + " >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
}

/// The text of the assembly of support/write_test_step.cpp, to be damaged.
class StepText {
 public:
  StepText() {
    const TemporaryFolder folder;
    writeStep(folder / "a.step");
    text_ = readText(folder / "a.step");
  }

  /// Returns the number of the k-th instance of a type, as "#12".
  std::string id(const std::string& type, std::size_t k = 0) const {
    const std::regex instance("(#[0-9]+) *= *" + type + " *\\(");
    auto at = std::sregex_iterator(text_.begin(), text_.end(), instance);
    for (; k > 0 && at != std::sregex_iterator(); --k) ++at;
    REQUIRE(at != std::sregex_iterator());
    return (*at)[1];
  }
  /// Returns an instance from its number to its semicolon.
  std::string instance(const std::string& id) const {
    const std::size_t begin = find(id);
    return text_.substr(begin, text_.find(';', begin) + 1 - begin);
  }
  void remove(const std::string& id) { text_.erase(find(id), instance(id).size()); }
  void replaceIn(const std::string& id, const std::string& from, const std::string& to) {
    std::string changed = instance(id);
    const std::size_t at = changed.find(from, id.size());
    REQUIRE(at != std::string::npos);
    changed.replace(at, from.size(), to);
    text_.replace(find(id), instance(id).size(), changed);
  }
  void replace(const std::string& from, const std::string& to) {
    const std::size_t at = text_.find(from);
    REQUIRE(at != std::string::npos);
    text_.replace(at, from.size(), to);
  }
  void append(const std::string& instance) {
    text_.insert(text_.find("ENDSEC;", text_.find("DATA;")), instance);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::size_t find(const std::string& id) const {
    const std::size_t at = std::min(text_.find("\n" + id + " ="), text_.find("\n" + id + "="));
    REQUIRE(at != std::string::npos);
    return at + 1;
  }
  std::string text_;
};

Model importText(const StepText& step) {
  const TemporaryFolder folder;
  writeText(folder / "a.step", step.text());
  return import(folder / "a.step");
}

bool says(const Model& model, const std::string& element, const std::string& message) {
  return std::any_of(model.warnings.begin(), model.warnings.end(), [&](const ImportWarning& w) {
    return w.incomplete && w.element == element && w.message.find(message) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("a face that is missing from a STEP file is named, and so is the solid that lost it",
          "[importers]") {
  StepText step;
  const std::string face = step.id("ADVANCED_FACE"), shell = step.id("CLOSED_SHELL");
  REQUIRE(step.instance(shell).find(face) != std::string::npos);
  step.remove(face);
  const Model model = importText(step);
  INFO(model.warnings.size());
  CHECK(says(model, "entity " + shell,
             "refers to face " + face + ", which is not in the file; shapes that use it may be missing"));
  CHECK(says(model, "file", "were transferred; contacts with the others"));
  CHECK(countsOf(model).faces < 29);
}

TEST_CASE("damage below a face of a STEP file names the face", "[importers]") {
  StepText dangling;
  const std::string face = dangling.id("ADVANCED_FACE"), edge = dangling.id("ORIENTED_EDGE");
  dangling.remove(edge);
  const Model lacking = importText(dangling);
  CHECK(std::any_of(lacking.warnings.begin(), lacking.warnings.end(), [&](const ImportWarning& w) {
    return w.incomplete &&
           w.message == "refers to " + edge +
                            ", which is not in the file; shapes that use it may be missing; part of face " +
                            face;
  }));

  StepText nan;
  const auto secondReference = [&](const std::string& id) {
    const std::string text = nan.instance(id);
    const std::size_t begin = text.find('#', 1);
    return text.substr(begin, text.find_first_of(",)", begin) - begin);
  };
  const std::string point = secondReference(secondReference(nan.id("PLANE")));
  const std::string list = nan.instance(point);
  nan.replaceIn(point, list.substr(list.rfind('(')), "(NAN,0.,0.));");
  const Model unreadable = importText(nan);
  CHECK(says(unreadable, "entity " + point, "not a Real; geometry may be missing or wrong; part of face #"));

  StepText twice;
  twice.append(twice.instance(twice.id("ADVANCED_FACE")));
  CHECK(
      says(importText(twice), "entity " + face,
           "is defined more than once; only one is used, which may be the wrong one; part of face " + face));
}

TEST_CASE("what places the parts of a STEP file and is damaged is said", "[importers]") {
  StepText placement;
  const std::string transformation = placement.id("ITEM_DEFINED_TRANSFORMATION");
  const std::string text = placement.instance(transformation);
  const std::string last = text.substr(text.rfind('#'), text.find(')', text.rfind('#')) - text.rfind('#'));
  placement.replaceIn(transformation, last, placement.id("CARTESIAN_POINT"));
  CHECK(says(importText(placement), "entity " + transformation,
             "which is not a placement; the part may be in the wrong place"));

  StepText unknown;
  unknown.replaceIn(unknown.id("ITEM_DEFINED_TRANSFORMATION"), "ITEM_DEFINED_TRANSFORMATION",
                    "ITEM_DEFINED_TRANSMUTATION");
  CHECK(isIncomplete(importText(unknown)));

  StepText occurrence;
  occurrence.remove(occurrence.id("NEXT_ASSEMBLY_USAGE_OCCURRENCE"));
  CHECK(isIncomplete(importText(occurrence)));

  // A colour has no shape.
  StepText colour;
  colour.remove(colour.id("COLOUR_RGB"));
  CHECK_FALSE(isIncomplete(importText(colour)));
}

TEST_CASE("numbers in strings and comments of a STEP file are no references", "[importers]") {
  StepText step;
  step.append("/* #999999 = ADVANCED_FACE('',(),#999998,.T.); 'unclosed */\n");
  step.replace("PRODUCT('block'", "PRODUCT('it''s #999997'");
  const Model model = importText(step);
  CHECK_FALSE(isIncomplete(model));
  CHECK(countsOf(model).faces == 29);
}

TEST_CASE("a check that finds nothing in a damaged STEP file ends with exit code 3", "[importers][cli]") {
  const CommandLine fitup;
  StepText step;
  writeText(fitup.file("whole.step"), step.text());
  step.remove(step.id("ADVANCED_FACE"));
  writeText(fitup.file("damaged.step"), step.text());
  // The wedge and its mirror image share a face.
  writeText(fitup.file("rules.json"),
            R"({"format":"fitup-rules","version":1,"ignore":[{"a":"*wedge*","b":"*wedge*"}]})");
  const ProgramResult whole = fitup({"check", "whole.step", "--rules", "rules.json"});
  INFO(whole.text());
  REQUIRE(whole.exitCode == 0);
  const ProgramResult damaged = fitup({"check", "damaged.step", "--rules", "rules.json"});
  INFO(damaged.text());
  CHECK(damaged.exitCode == 3);
  CHECK(contains(damaged.out + damaged.err, "refers to face #"));
  // Likewise from the model file of the first run.
  CHECK(fitup({"check", "damaged.step", "--rules", "rules.json"}).exitCode == 3);
}

TEST_CASE("an importer that crashes over damage says what it had seen", "[importers]") {
#if defined(__SANITIZE_ADDRESS__)
  WARN("skipped: the address sanitizer has the last words itself");
  return;
#endif
  StepText step;
  step.remove(step.id("VERTEX_POINT"));
  std::string said;
  try {
    const Model model = importText(step);
    for (const ImportWarning& warning : model.warnings) said += warning.incomplete ? warning.message : "";
  } catch (const ImportError& error) {
    said = error.what();
  }
  CHECK_THAT(said,
             Catch::Contains("which is not in the file; shapes that use it may be missing; part of face #"));
}

TEST_CASE("several shapes at the root of a STEP file are roots", "[importers]") {
  const TemporaryFolder folder;
  writeStep(folder / "roots.step", "ROOTS");
  const Model model = import(folder / "roots.step");
  REQUIRE(model.assembly.instances().size() == 4);  // the balls' two solids, too
  CHECK(model.assembly.partCount() == 4);
  for (const char* name : {"block", "pin", "balls"}) {
    REQUIRE(model.assembly.find(name));
    CHECK_FALSE(model.assembly.node(model.assembly.at(name)).parent);
  }
  CHECK_FALSE(isIncomplete(model));
}

TEST_CASE("files that a STEP file refers to are read with it, a missing one is named", "[importers]") {
  const TemporaryFolder folder;
  writeStep(folder / "master.step", "EXTERNAL");
  const Model whole = import(folder / "master.step");
  CHECK(countsOf(whole).faces == 29);
  CHECK(whole.source.referencedFiles.size() >= 5);
  CHECK(whole.assembly.find("plate-and-pins/pin:1"));
  const auto isOfMissingFile = [](const ImportWarning& w) { return w.element.starts_with("external file "); };
  CHECK(std::none_of(whole.warnings.begin(), whole.warnings.end(), isOfMissingFile));
  // Open CASCADE writes coloured solids of other parts into each file, which belong to no part.
  const auto isStray = [](const ImportWarning& w) {
    return w.message == "was not transferred; it is missing";
  };
  CHECK(std::any_of(whole.warnings.begin(), whole.warnings.end(), isStray));

  std::filesystem::path pin;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    if (entry.path().filename().string().find("pin") != std::string::npos) pin = entry.path();
  REQUIRE_FALSE(pin.empty());
  const std::string contents = readText(pin);
  std::filesystem::remove(pin);
  const Model lacking = import(folder / "master.step");
  CHECK(
      says(lacking, "external file " + pin.filename().string(), "could not be read; its parts are missing"));
  CHECK(countsOf(lacking).faces == 26);

  // Damage in a referenced file is reported with its name.
  const std::size_t face = contents.find("ADVANCED_FACE");
  const std::size_t begin = contents.rfind('#', face), end = contents.find(';', face) + 1;
  writeText(pin, contents.substr(0, begin) + contents.substr(end));
  const Model damaged = import(folder / "master.step");
  CHECK(std::any_of(damaged.warnings.begin(), damaged.warnings.end(), [&](const ImportWarning& w) {
    return w.incomplete && w.element.starts_with(pin.filename().string() + ": entity #") &&
           w.message.starts_with("refers to face #");
  }));

  // So is an item of a type that the library does not know.
  std::string unknown = contents;
  const std::size_t representation = unknown.find("ADVANCED_BREP_SHAPE_REPRESENTATION");
  unknown.insert(unknown.find("(#", representation) + 1, "#99999,");
  const std::size_t line = unknown.rfind('\n', representation) + 1;
  unknown.insert(line, "#99999=TESSELLATED_SOLID('',(),$);\n");
  writeText(pin, unknown);
  const Model tidied = import(folder / "master.step");
  CHECK(countsOf(tidied).faces == countsOf(whole).faces);
  CHECK(says(tidied, pin.filename().string() + ": entity #99999",
             "TESSELLATED_SOLID is not supported; it is missing"));
}

TEST_CASE("files that a STEP file refers to are looked for beside the one that names them", "[importers]") {
  const TemporaryFolder folder;
  const std::filesystem::path left = folder / "left", right = folder / "right";
  std::filesystem::create_directory(left);
  writeStep(left / "master.step", "EXTERNAL");
  std::filesystem::copy(left, right);  // files contain their time of writing
  std::vector<std::string> names;      // names of the files of parts
  for (const auto& entry : std::filesystem::directory_iterator(left))
    if (entry.path().filename() != "master.step") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  REQUIRE(names.size() >= 5);
  const std::string master = readText(left / "master.step");
  const auto withNames = [&](const std::vector<std::pair<std::string, std::string>>& changes) {
    std::string text = master;
    for (const auto& [from, to] : changes)
      for (std::size_t at = 0; (at = text.find("'" + from + "'", at)) != std::string::npos;)
        text.replace(at + 1, from.size(), to);
    return text;
  };
  const auto missing = [](const Model& model) {
    return std::any_of(model.warnings.begin(), model.warnings.end(),
                       [](const ImportWarning& w) { return w.element.starts_with("external file "); });
  };
  const Model direct = import(left / "master.step");

  // In folders below, with either kind of slash; a change of one file makes the model out of date.
  std::vector<std::pair<std::string, std::string>> below;
  for (std::size_t i = 0; i < names.size(); ++i)
    below.emplace_back(names[i], (i % 2 == 0 ? "left/" : "left\\\\") + names[i]);
  writeText(folder / "top.step", withNames(below));
  const Model top = import(folder / "top.step");
  CHECK_FALSE(missing(top));
  CHECK(countsOf(top).triangles == countsOf(direct).triangles);
  CHECK(top.source.referencedFiles.size() == direct.source.referencedFiles.size());
  for (const CompanionFile& companion : top.source.referencedFiles) {
    CHECK(companion.path.starts_with("left/"));
    CHECK(companion.digest.isKnown());
  }

  // With an absolute path, the library would open the file itself, of which there is no copy.
  const std::string absolute = (left / names[0]).string();
  writeText(left / "absolute.step", withNames({{names[0], absolute}}));
  CHECK_THAT(messageOf<ImportError>([&] { (void)import(left / "absolute.step"); }),
             Catch::Contains("external file " + absolute + ": has an absolute path, which is not followed"));

  // Two assemblies below use the same file names: the library takes the files of one for those of the other.
  const auto nested = withNames({{names[0], "left/master.step"}, {names[1], "right/master.step"}});
  std::string text = nested;
  for (std::size_t i = 2; i < names.size(); ++i)
    for (std::size_t at = 0; (at = text.find("'" + names[i] + "'", at)) != std::string::npos;)
      text.replace(at + 1, names[i].size(), "left/" + names[i]);
  writeText(folder / "nested.step", text);
  const Model same = import(folder / "nested.step");  // they are equal
  CHECK(countsOf(same).instances > countsOf(direct).instances);
  CHECK_FALSE(missing(same));
  writeText(right / names[2], readText(right / names[3]));
  CHECK_THAT(messageOf<ImportError>([&] { (void)import(folder / "nested.step"); }),
             Catch::Contains("external file " + names[2] + ": may refer to two files, left/" + names[2] +
                             " and right/" + names[2]));
}
#endif

}  // namespace step_completeness_tests
