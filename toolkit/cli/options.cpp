#include "options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <fitup/base/count_text.h>
#include <fitup/base/error.h>
#include <fitup/base/version.h>
#include <fitup/io/model_cache.h>
#include <fitup/io/report_file.h>
#include <fitup/io/report_pictures.h>
#include <fitup/io/rules_file.h>
#include <fitup/io/shape_refiner.h>
#include <fitup/io/warning_summary.h>
#include <fitup/scene/finer_shapes.h>
#include <fitup_field/field_kinds.h>

#include "console.h"

namespace fitup::cli {
namespace {

/// A validator. `accepts` sees only finite numbers; `wanted` ends the sentence "must be a number ...".
CLI::Validator numberThat(std::function<bool(double)> accepts, const std::string& wanted) {
  return {[accepts = std::move(accepts), wanted](const std::string& text) {
            double value = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data() + text.starts_with('+'), end, value);
            const bool good = error == std::errc{} && stop == end && std::isfinite(value) && accepts(value);
            return good ? std::string() : fmt::format("must be a number {}, not '{}'", wanted, text);
          },
          wanted};
}

}  // namespace

CLI::Option* oneEachTime(CLI::Option* option) {
  // The last call would suffice, but the help would then say "TEXT ...".
  return option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
}

CLI::Validator numberAbove0() {
  return numberThat([](double value) { return value > 0; }, "above 0");
}

CLI::Validator numberFrom0() {
  return numberThat([](double value) { return value >= 0; }, "from 0");
}

CLI::Validator numberBetween(double least, double most) {
  return numberThat([=](double value) { return value >= least && value <= most; },
                    fmt::format("from {} to {}", least, most));
}

CLI::Validator wholeNumber() {
  return {[](std::string& text) {
            unsigned long long value = 0;
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            return error == std::errc{} && stop == end ? std::string()
                                                       : "'" + text + "' is not a non-negative whole number";
          },
          ""};
}

namespace {

void sayWhyNoCache() {
  try {
    (void)ModelCache();
  } catch (const FileError& error) {
    sayTo(stderr, "the cache is not used: {}\n", error.what());
  }
}

void sayCached(const Model& model) {
  for (const std::string& file : model.fromCache)
    sayTo(stderr, "{}: read from the cache, which holds an import of the same bytes\n", file);
}

}  // namespace

std::string programName() { return fmt::format("fitup {}", version); }

void InputOptions::addTo(CLI::App& app, bool severalFiles) {
  // FILE:UNIT, unless there is a file of that whole name.
  const auto withoutUnit = [this](std::string& file) {
    std::error_code ignored;
    const std::size_t colon = file.rfind(':');
    const std::string unit = colon == std::string::npos ? std::string() : file.substr(colon + 1);
    const bool hasUnit = isLengthUnit(unit) && !std::filesystem::exists(file, ignored);
    read.fileUnits.push_back(hasUnit ? unit : std::string());
    if (hasUnit) file.resize(colon);
    return std::string();
  };
  const std::string formats = extensionList([](const FileFormat& format) { return format.isModel(); });
  if (severalFiles)
    app.add_option(
           "FILE", files,
           "Assemblies: " + formats +
               ";\nseveral files form one assembly. Or a project (.fitup-project). part.stl:in is in inches")
        ->transform(CLI::Validator(withoutUnit, ""))
        ->required();
  else
    // Not the vector itself: a positional list would take the positionals that follow.
    app.add_option_function<std::string>(
           "FILE",
           [this, withoutUnit](std::string file) {
             withoutUnit(file);
             files = {file};
           },
           "Assembly: one file (" + formats +
               ";\n'fitup convert' makes one of several), or a project (.fitup-project)")
        ->required();
  const auto importSetting = [&](const char* name, auto& value, const char* help) {
    CLI::Option* option = app.add_option(name, value, help)->capture_default_str();
    importSettings_.push_back(option);
    return option;
  };
  importSetting("--linear", read.linearDeflection, "Chord error of CAD tessellation in mm")
      ->check(numberAbove0());
  importSetting("--relative", read.relativeDeflection,
                "Chord error as a fraction of a part's extent; the smaller of this and --linear applies; 0: "
                "only --linear")
      ->check(CLI::Range(0.0, 1.0));
  importSetting("--angular", read.angularDeflection, "Angle between facets of CAD tessellation in radians")
      ->check(numberAbove0());
  importSettings_.push_back(app.add_option("--solids", solids,
                                           "CAD products with several solids: split makes one part of each "
                                           "solid, merge makes one part of all solids")
                                ->check(CLI::IsMember({"split", "merge"}))
                                ->capture_default_str());
  importSettings_.push_back(
      app.add_option("--encoding", read.encoding, "Encoding of names in STEP files (default: detected)")
          ->check(CLI::IsMember(std::vector<std::string>(textEncodings.begin(), textEncodings.end()))));
  importSetting("--unit", read.unit, "Unit of mesh and OSG files: mm cm m in ft (glTF is always in m)");
  importSetting("--up", up,
                "Axis that points up in mesh and OSG files: x y z (for display; glTF is always y up)");
  segment_ = importSetting("--segment", segmentation,
                           "How raw meshes and OSG scenes are divided into surfaces: an angle in degrees for "
                           "smooth\npatches (smooth: 30), none, or primitives for the primitive sets of "
                           "scenes (default: 30 for\nmeshes, drawables for scenes)");
  importSettings_.push_back(
      app.add_option(
             "--recognise-within", read.recogniseWithin,
             "Take surfaces of mesh and OSG files that are planes, cylinders, cones or spheres within "
             "this\ndistance (mm) for these shapes, so that --tolerance can be far below their chord "
             "errors")
          ->check(numberAbove0()));
  app.add_option("--root", root,
                 "Folder that must contain all referenced files (default: each file's own folder)")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--no-cache", noCache, "Neither read nor write cached imports ('fitup cache')");
  app.add_flag("-v,--verbose", verbose, "Print every single warning, and what the cache is used for");
  app.add_flag("--trust", read.trustModelFiles,
               "Do not check the hierarchies of .fitup files against their triangles. Large files are "
               "read\nfaster; use it only for files that you made yourself");
  app.add_flag("-q,--quiet", quiet, "Print no progress");
}

bool InputOptions::isProject() const { return std::any_of(files.begin(), files.end(), isProjectFile); }

std::vector<NamedFile> InputOptions::named() const {
  std::vector<NamedFile> all = namedFiles("FILE", files);
  if (isProject() && files.size() == 1)
    for (const std::filesystem::path& model : readProject(files.front()).models)
      all.push_back({"FILE", model.string()});
  return all;
}

ProjectModel InputOptions::loadProject(const Progress& progress) const {
  ReadOptions options = read;
  options.useCache = !noCache;
  if (!root.empty()) options.root = root;
  if (options.useCache && verbose) sayWhyNoCache();
  const std::optional<UpAxis> upAxis = upAxisFromName(up);
  if (!upAxis) throw InputError("--up", up, "is not one of x, y, z");
  options.upAxis = *upAxis;
  options.mergeSolids = solids == "merge";
  if (!isLengthUnit(read.unit)) throw InputError("--unit", read.unit, "is not one of mm, cm, m, in, ft");
  std::error_code error;  // for an invalid name, which the reader reports
  for (const std::string& file : files)
    if (std::filesystem::is_directory(file, error)) throw FileError(file + ": cannot read: Is a directory");
  if (segment_->count() > 0) setSegmentation(options, "--segment", segmentation);
  ProjectModel loaded;
  if (!isProject()) {
    loaded.project.models.assign(files.begin(), files.end());
    loaded.model = readAssemblies(loaded.project.models, options, progress);
    if (!quiet) sayCached(loaded.model);
    return loaded;
  }
  if (files.size() > 1) throw InputError(fileList(), "FILE", "a project cannot be combined with other files");
  for (const CLI::Option* setting : importSettings_)
    if (setting->count() > 0)
      throw InputError(files.front(), setting->get_name(), "a project has its own import settings");
  loaded = readProjectModel(files.front(), options, progress);
  if (!quiet) sayCached(loaded.model);
  loaded.model.warnings.insert(loaded.model.warnings.end(), loaded.problems.begin(), loaded.problems.end());
  return loaded;
}

std::string InputOptions::fileList() const {
  return joinedNames(std::vector<std::filesystem::path>(files.begin(), files.end()));
}

void QueryOptions::addTo(CLI::App& app) {
  app.add_option("--mode", mode,
                 "What to find for two parts: any one pair of surfaces, all pairs of surfaces, or all pairs "
                 "of triangles")
      ->check(CLI::IsMember({"first", "surfaces", "triangles"}))
      ->capture_default_str();
  app.add_option("--overlap-box", overlapBox, "Use of the overlap box")
      ->check(CLI::IsMember({"on", "off", "classical"}))
      ->capture_default_str();
  app.add_option("--hierarchy", hierarchy, "Kind of hierarchy: " + field::hierarchyKindNames())
      ->capture_default_str();
  app.add_option("--box-test", boxTest,
                 "Separating axes of two boxes in aabb, obb, box, opcode: full fifteen, lite six, aligned "
                 "three; usual: those of its paper")
      ->check(CLI::IsMember({"usual", "full", "lite", "aligned"}))
      ->capture_default_str();
  app.add_option("--rules", rulesFile,
                 "JSON file with pairs to ignore, allowed contacts, clearances to keep, and sets to check");
  addRuleOption(app, rules);
  addSkipHiddenOption(app, skipHidden);
  oneEachTime(app.add_option(
      "--report", reportFiles,
      "Write a report: " + reportExtensions() + " (with pictures); may be given more than once"));
  app.add_option("--pictures", pictures,
                 "Findings of which an HTML report has pictures: to-act-on (clashes and others that need a "
                 "correction),\nall, or none")
      ->check(CLI::IsMember({"to-act-on", "all", "none"}))
      ->capture_default_str();
  app.add_option(
         "--max-pairs", maxPairs,
         "Stop after this many pairs (in a replay: at each step); the answer is then marked truncated")
      ->check(wholeNumber());
  timeBudget.addTo(app,
                   "Stop after this many seconds (in a replay: at each step, and a contact map after the sum "
                   "of\nall steps); the answer is then marked truncated");
  app.add_flag("--exclude-touching", touchingExcluded, "Report only triangles whose interiors intersect");
  app.add_flag("--scalar", scalar,
               "Use plain code instead of vector instructions (same report; where several places are "
               "equally\nnear, a contact map may name another one)");
  app.add_option("--threads", threads, "Number of threads over pairs or steps; 0: one for each core")
      ->check(wholeNumber())
      ->capture_default_str();
  app.add_option("--query-threads", queryThreads,
                 "Number of threads that share one large query; 0: one for each core")
      ->check(wholeNumber())
      ->capture_default_str();
  app.add_flag("--coherence", coherence,
               "With --mode first, start from the result of the previous step (same answers, perhaps another "
               "first pair)");
}

void TimeBudget::addTo(CLI::App& app, const std::string& help) {
  app.add_option("--time-budget", seconds, help)->check(numberBetween(0, 1e6));
}

std::optional<std::chrono::nanoseconds> TimeBudget::asDuration(std::size_t answers) const {
  if (!seconds) return std::nullopt;
  constexpr double most = 1e9;  // thirty years; nanoseconds end at 292
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(std::min(most, *seconds * static_cast<double>(answers))));
}

InterferenceOptions QueryOptions::resolve() const {
  InterferenceOptions options;
  options.request.mode = mode == "first"      ? QueryMode::firstSurfacePair
                         : mode == "surfaces" ? QueryMode::allSurfacePairs
                                              : QueryMode::allTrianglePairs;
  options.request.overlapBox = overlapBox == "off"         ? OverlapBoxSetting::off
                               : overlapBox == "classical" ? OverlapBoxSetting::classical
                                                           : OverlapBoxSetting::on;
  options.request.touching = touchingExcluded ? Touching::exclude : Touching::include;
  options.request.coherence = coherence ? Coherence::on : Coherence::off;
  options.request.threads = queryThreads;
  options.request.vectorUse = scalar ? VectorUse::scalar : VectorUse::best;
  options.request.hierarchy = hierarchyKind(hierarchy);
  options.request.limits.maxPairs = maxPairs;
  options.request.limits.timeBudget = timeBudget.asDuration();
  for (const std::string& file : reportFiles)
    if (!isReportFile(file))
      throw InputError(file, "extension '" + std::filesystem::path(file).extension().string() + "'",
                       "reports can be written as " + reportExtensions());
  if (!rulesFile.empty()) options.rules = readRules(rulesFile);
  options.threads = threads;
  return options;
}

HierarchyKind hierarchyKind(const std::string& name) {
  if (const auto kind = field::hierarchyKindFromName(name)) return *kind;
  throw InputError("--hierarchy", name,
                   "is not a kind of hierarchy; the kinds are: " + field::hierarchyKindNames());
}

void QueryOptions::choosePictures(ReportContext& context) const {
  context.drawPictures = pictures == "none" ? nullptr : drawReportPictures;
  context.picturesOf = pictures == "all" ? PicturesOf::all : PicturesOf::toActOn;
}

void QueryOptions::requestTrees(BuildOptions& build) const {
  ResearchOptions options;
  for (const BoxTest test : {BoxTest::full, BoxTest::lite, BoxTest::aligned})
    if (name(test) == boxTest) options.boxTest = test;
  field::add(build, hierarchyKind(hierarchy), options);
}

void addSkipHiddenOption(CLI::App& app, bool& skipHidden) {
  app.add_flag("--skip-hidden", skipHidden, "Leave out the parts that the project hides");
}

void addRuleOption(CLI::App& app, std::vector<Rule>& rules) {
  const auto add = [&rules](const std::string& text) {
    try {
      rules.push_back(readRule(text, "--rule"));
    } catch (const InputError& error) {
      throw CLI::ValidationError(error.what());
    }
  };
  app.add_option_function<std::vector<std::string>>(
         "--rule",
         [add](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) add(text);
         },
         "A rule in JSON, before those of --rules or the project, such as '{\"a\": \"*\", \"b\": \"*\",\n"
         "\"fastener\": \"thread\", \"action\": \"allowOverlap\", \"depth\": 0.7}'; may be given more than "
         "once")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void takeOverRules(const Project& project, const std::string& rulesFile, const std::vector<Rule>& given,
                   bool skipHidden, Rules& rules) {
  if (rulesFile.empty()) rules = project.rules;
  if (!given.empty() && rules.wholePaths)
    throw InputError("--rule", rulesFile.empty() ? "the project" : rulesFile,
                     "has rules of version 1, which cannot be combined with others");
  rules.rules.insert(rules.rules.begin(), given.begin(), given.end());
  if (!skipHidden) return;
  std::vector<Rule> first;
  for (const std::string& path : project.hidden) {
    if (path.find_first_of("*?") != std::string::npos)
      throw InputError("--skip-hidden", "'" + path + "'",
                       "is hidden, and a path with * or ? cannot be left out; rename the part");
    first.push_back({.a = path, .b = "*", .reason = "hidden in the project"});
  }
  rules.rules.insert(rules.rules.begin(), first.begin(), first.end());
}

void takeOver(const Project& project, const std::string& rulesFile, const std::vector<Rule>& given,
              bool skipHidden, InterferenceOptions& options) {
  takeOverRules(project, rulesFile, given, skipHidden, options.rules);
  if (options.verdict && !options.verdict->tolerance) options.verdict->tolerance = project.tolerance;
}

void sayHidden(const ProjectModel& input, bool skipHidden) {
  if (skipHidden) return;
  // A project may still name parts that its model has lost.
  const auto count = std::ranges::count_if(input.project.hidden, [&](const std::string& path) {
    return input.model.assembly.find(path).has_value();
  });
  if (count > 0)
    say("{} checked too; --skip-hidden leaves hidden parts out\n",
        count == 1 ? "1 hidden part is" : fmt::format("{} hidden parts are", count));
}

std::string QueryOptions::asArguments() const {
  return fmt::format("--mode {} --hierarchy {} --overlap-box {}{}{}{}", mode, hierarchy, overlapBox,
                     boxTest == "usual" ? "" : " --box-test " + boxTest,
                     touchingExcluded ? " --exclude-touching" : "", scalar ? " --scalar" : "");
}

bool printWarnings(const Model& model, bool each) {
  std::vector<WarningGroup> groups;
  if (each)
    for (const ImportWarning& warning : model.warnings) groups.push_back({warning});
  else
    groups = summarise(model.warnings);
  const auto others = std::stable_partition(groups.begin(), groups.end(),
                                            [](const WarningGroup& group) { return group.first.incomplete; });
  // A file from elsewhere may have any number of kinds of warnings.
  const auto print = [&](auto from, auto to, const char* label, std::size_t most) {
    const auto count = static_cast<std::size_t>(to - from);
    const std::size_t shown = each ? count : std::min(count, most);
    for (std::size_t i = 0; i < shown; ++i) sayTo(stderr, "{}: {}\n", label, text(*from++));
    if (shown < count)
      sayTo(stderr, "{}: {}; --verbose lists all\n", label,
            countText(count - shown, "more kind", "more kinds"));
  };
  print(groups.begin(), others, "missing", 100);
  print(others, groups.end(), "warning", 20);
  return others != groups.begin();
}

std::shared_ptr<Refinement> refinementOf(const Model& model, const ReadOptions& read) {
  return std::make_shared<Refinement>(std::make_shared<ShapeRefiner>(model, read));
}

void judgeExactShapes(InterferenceOptions& asked, const Model& model, const ReadOptions& read, bool refine) {
  if (!asked.verdict || !asked.verdict->tolerance) return;
  if (!hasChordErrors(model.assembly)) return;
  asked.verdict->exactShapes = true;
  asked.verdict->refine = refine;
  if (refine) asked.verdict->refinement = refinementOf(model, read);
}

int exitCodeFor(bool found, ReportStatus status, bool incompleteImport) {
  if (found) return exitInterference;
  return status != ReportStatus::complete || incompleteImport ? exitIncomplete : exitNothingFound;
}

std::string faceText(const Assembly& assembly, NodeId instance, SurfaceId surface) {
  const AssemblyNode& node = assembly.node(instance);
  const Surface& s = assembly.part(*node.part).surfaces()[index(surface)];
  std::string result = fmt::format("face {}", index(surface));
  if (s.description) result += fmt::format(" ({})", text(*s.description));
  if (!s.name.empty()) result += fmt::format(" '{}'", s.name);
  return result;
}

std::string surfaceText(const Assembly& assembly, NodeId instance, SurfaceId surface) {
  return assembly.path(instance) + " " + faceText(assembly, instance, surface);
}

}  // namespace fitup::cli
