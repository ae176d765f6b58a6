#include "options.h"

#include <charconv>
#include <map>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <fitup/base/version.h>
#include <fitup/io/rules_file.h>

#include "console.h"

namespace fitup::cli {

std::string programName() { return fmt::format("fitup {}", version); }

void InputOptions::addTo(CLI::App& app, bool severalFiles) {
  if (severalFiles)
    app.add_option("FILE", files, "Assemblies: .step .stp .obj .stl .fitup; several form one assembly")
        ->required();
  else
    // Not the vector itself: a positional list would swallow the positionals that follow.
    app.add_option_function<std::string>(
           "FILE", [this](const std::string& file) { files = {file}; },
           "Assembly: .step .stp .obj .stl .fitup")
        ->required();
  app.add_option("--linear", read.linearDeflection, "Chord error of CAD tessellation in mm")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--angular", read.angularDeflection, "Angle between facets of CAD tessellation in radians")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--unit", read.unit, "Unit of mesh files: mm cm m in ft")->capture_default_str();
  app.add_option("--segment", segmentation, "Smooth patches of raw meshes: angle in degrees, or none")
      ->capture_default_str();
  app.add_flag("!--no-cache", read.useCache, "Neither use nor write FILE.fitup beside the file");
  app.add_flag("-q,--quiet", quiet, "No progress");
}

Model InputOptions::load(const Progress& progress) const {
  ReadOptions options = read;
  if (segmentation == "none") {
    options.segmentationAngle.reset();
  } else {
    double angle = 0;
    const char* end = segmentation.data() + segmentation.size();
    const auto [stop, error] = std::from_chars(segmentation.data(), end, angle);
    if (error != std::errc{} || stop != end)
      throw InputError("--segment", segmentation, "is neither a number nor 'none'");
    options.segmentationAngle = angle;
  }
  Model model = readAssembly(files.front(), options, progress);
  if (files.size() == 1) return model;

  Model all;
  all.assembly.setUnit(model.assembly.unit());
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i > 0) model = readAssembly(files[i], options, progress);
    const std::string name = std::filesystem::path(files[i]).stem().string();
    all.assembly.append(model.assembly, name);
    all.collisionModels.insert(all.collisionModels.end(), model.collisionModels.begin(),
                               model.collisionModels.end());
    for (ImportWarning& w : model.warnings) {
      w.element = escapedName(name) + (w.element.empty() ? "" : "/" + w.element);
      all.warnings.push_back(std::move(w));
    }
  }
  return all;
}

std::string InputOptions::fileList() const { return fmt::format("{}", fmt::join(files, ", ")); }

void QueryOptions::addTo(CLI::App& app) {
  const std::map<std::string, QueryMode> modes{{"first", QueryMode::firstSurfacePair},
                                               {"surfaces", QueryMode::allSurfacePairs},
                                               {"triangles", QueryMode::allTrianglePairs}};
  const std::map<std::string, OverlapBoxSetting> settings{{"on", OverlapBoxSetting::on},
                                                          {"off", OverlapBoxSetting::off},
                                                          {"classical", OverlapBoxSetting::classical}};
  app.add_option("--mode", mode, "What to find: first, surfaces or triangles (default)")
      ->transform(CLI::CheckedTransformer(modes, CLI::ignore_case).description("{first,surfaces,triangles}"));
  app.add_option("--overlap-box", overlapBox, "Use of the overlap box: on (default), off or classical")
      ->transform(CLI::CheckedTransformer(settings, CLI::ignore_case).description("{on,off,classical}"));
  app.add_option("--hierarchy", hierarchy, "Kind of hierarchy: scd")->capture_default_str();
  app.add_option("--rules", rulesFile, "JSON file with pairs to ignore");
  app.add_option("--report", reportFiles, "Write a report: .json or .csv; may be given more than once");
  app.add_option("--max-pairs", maxPairs, "Stop after so many pairs; the report then says truncated");
  app.add_option("--time-budget", timeBudgetSeconds, "Stop after so many seconds (a replay: in each step)");
  app.add_flag("--exclude-touching", touchingExcluded, "Only triangles whose interiors meet");
  app.add_flag("--scalar", scalar, "Plain code instead of vector instructions (same report)");
  app.add_option("--threads", threads, "Threads, 0 for one on each core")->capture_default_str();
}

InterferenceOptions QueryOptions::resolve() const {
  InterferenceOptions options;
  options.request.mode = mode;
  options.request.overlapBox = overlapBox;
  options.request.touching = touchingExcluded ? Touching::exclude : Touching::include;
  options.request.vectorUse = scalar ? VectorUse::scalar : VectorUse::best;
  const auto kind = hierarchyKindFromName(hierarchy);
  if (!kind) throw InputError("--hierarchy", hierarchy, "is no kind of hierarchy; there is: scd");
  options.request.hierarchy = *kind;
  options.request.limits.maxPairs = maxPairs;
  if (timeBudgetSeconds)
    options.request.limits.timeBudget = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(*timeBudgetSeconds));
  if (!rulesFile.empty()) options.rules = readRules(rulesFile);
  options.threads = threads;
  return options;
}

bool printWarnings(const Model& model) {
  bool incomplete = false;
  constexpr std::size_t shown = 20;
  for (std::size_t i = 0; i < model.warnings.size(); ++i) {
    const ImportWarning& w = model.warnings[i];
    incomplete = incomplete || w.incomplete;
    if (i < shown)
      fmt::print(stderr, "{}: {}{}{}\n", w.incomplete ? "missing" : "warning", w.element,
                 w.element.empty() ? "" : ": ", w.message);
  }
  if (model.warnings.size() > shown)
    fmt::print(stderr, "... and {} more; a JSON report lists all\n", model.warnings.size() - shown);
  return incomplete;
}

int exitCodeFor(bool found, ReportStatus status, bool incompleteImport) {
  if (found) return exitInterference;
  return status != ReportStatus::complete || incompleteImport ? exitIncomplete : exitNothingFound;
}

std::string surfaceText(const Assembly& assembly, NodeId instance, SurfaceId surface) {
  const AssemblyNode& node = assembly.node(instance);
  const Surface& s = assembly.part(*node.part).surfaces()[index(surface)];
  std::string result = fmt::format("{} face {}", assembly.path(instance), index(surface));
  if (s.description) result += fmt::format(" ({})", text(*s.description));
  if (!s.name.empty()) result += fmt::format(" '{}'", s.name);
  return result;
}

}  // namespace fitup::cli
