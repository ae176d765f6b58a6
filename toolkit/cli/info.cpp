#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <fitup/base/bounded_text.h>
#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/io/model_file.h>
#include <fitup/query/self_intersection.h>
#include <fitup_field/field_kinds.h>

#include "commands.h"
#include "console.h"
#include "options.h"
#include "wording.h"

namespace fitup::cli {
namespace {

void printTree(const Assembly& assembly, NodeId id, int depth) {
  const AssemblyNode& node = assembly.node(id);
  say("{:{}}{}", "", 2 * depth, node.name.empty() ? "(no name)" : node.name);
  if (node.part) {
    const TriangleMesh& mesh = assembly.part(*node.part);
    say("  [{} faces, {} triangles]", mesh.surfaces().size(), mesh.triangleCount());
    if (node.parentFromNode.kind() == TransformKind::mirrored) say("  mirrored");
    if (node.parentFromNode.kind() == TransformKind::affine) say("  scaled");
  }
  if (!node.layers.empty()) say("  layers: {}", fmt::join(node.layers, ", "));
  say("\n");
  for (NodeId child : node.children) printTree(assembly, child, depth + 1);
}

/// "0.012 to 0.1 mm": for meshes that were made from curved surfaces.
std::string chordErrorText(const Assembly& assembly) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  std::size_t unknown = 0;
  for (std::uint32_t i = 0; i < assembly.partCount(); ++i) {
    const auto& deflection = assembly.part(PartId{i}).deflection();
    if (!deflection) {
      ++unknown;
      continue;
    }
    least = std::min(least, deflection->linear);
    most = std::max(most, deflection->linear);
  }
  if (most == 0) return "unknown";
  return fmt::format("{:.3g}{} {}{}", least, least < most ? fmt::format(" to {:.3g}", most) : "",
                     assembly.unit(),
                     unknown > 0 ? fmt::format("; unknown for {} distinct parts", unknown) : "");
}

/// "of 12 distinct parts, 0.3 MB": B-reps, from which finer meshes can be made.
std::string exactShapesText(const Model& model) {
  std::size_t count = 0, bytes = 0;
  for (const ExactShape& shape : model.exactShapes) {
    count += shape.empty() ? 0 : 1;
    bytes += shape.size();
  }
  return fmt::format("of {} distinct part{}, {:.1f} MB", count, count == 1 ? "" : "s",
                     static_cast<double>(bytes) / 1e6);
}

void printSummary(const Model& model, const std::vector<HierarchyKind>& kinds) {
  const Assembly& assembly = model.assembly;
  std::size_t surfaces = 0, triangles = 0, bytes = 0, untessellated = 0, edges = 0;
  std::uint32_t degenerate = 0;
  double rounding = 0;
  for (std::uint32_t i = 0; i < assembly.partCount(); ++i) {
    const TriangleMesh& mesh = assembly.part(PartId{i});
    degenerate += mesh.validation().degenerateTriangles;
    rounding = std::max(rounding, mesh.validation().largestRounding);
  }
  // Parts that share a mesh also share its model.
  std::set<const CollisionModel*> counted;
  std::size_t inHierarchies = 0;
  for (const auto& m : model.collisionModels)
    if (counted.insert(m.get()).second) {
      bytes += m->hierarchyBytes();
      inHierarchies += m->mesh().triangleCount();
    }
  Box world;
  for (NodeId node : assembly.instances()) {
    const TriangleMesh& mesh = assembly.meshOf(node);
    surfaces += mesh.surfaces().size();
    triangles += mesh.triangleCount();
    edges += mesh.featureEdges().size();
    for (const Surface& s : mesh.surfaces()) untessellated += s.triangleCount == 0;
    // Box of the points. The box of the part is larger if the part is rotated.
    const Transform worldFromPart = assembly.worldFromNode(node);
    for (std::uint32_t i = 0; i < mesh.points().size(); ++i)
      world.extend(worldFromPart.apply(mesh.pointInPart(i)));
  }
  const std::string& unit = assembly.unit();
  say("{}\n", assembly.name());
  say("  instances      {}\n", assembly.instances().size());
  say("  distinct parts {}\n", assembly.partCount());
  say("  surfaces       {} (counted at each instance{})\n", surfaces,
      untessellated ? fmt::format("; {} untessellated", untessellated) : "");
  say("  triangles      {} (counted at each instance; {} degenerate in distinct parts)\n", triangles,
      degenerate);
  if (edges > 0) say("  feature edges  {} (counted at each instance)\n", edges);
  if (!world.empty()) {
    const Vec3 size = world.max - world.min;
    // The two ends of a side are rounded.
    const double farthest = std::max(norm(world.min), norm(world.max));
    const auto length = [&](double side) {
      return boundedNumber(side, 2 * rounding + 0x1p-50 * farthest, 6);
    };
    say("  box            {} x {} x {} {}\n", length(size.x), length(size.y), length(size.z), unit);
  }
  say("  unit           {}\n", unit);
  say("  up             {}\n", name(assembly.upAxis()));
  say("  chord error    {}\n", chordErrorText(assembly));
  if (!model.exactShapes.empty()) say("  exact shapes   {}\n", exactShapesText(model));
  say("  rounding       at most {:.3g} {} per coordinate, from 32-bit storage\n", rounding, unit);
  say("  hierarchies    {:.1f} MB{}\n", static_cast<double>(bytes) / 1e6,
      inHierarchies > 0 ? fmt::format(", {:.1f} bytes per triangle",
                                      static_cast<double>(bytes) / static_cast<double>(inHierarchies))
                        : "");
  for (const HierarchyKind kind : kinds) {
    std::size_t bytesOfKind = 0;
    for (const CollisionModel* m : counted) bytesOfKind += m->hierarchyBytes(kind);
    say("    {:<17}{:.1f} MB, {:.1f} bytes per triangle\n", name(kind),
        static_cast<double>(bytesOfKind) / 1e6,
        static_cast<double>(bytesOfKind) / static_cast<double>(std::max<std::size_t>(1, inHierarchies)));
  }
}

/// What crossing triangles mean for verdicts.
std::string_view meaningOf(SelfIntersectionKind kind) {
  switch (kind) {
    case SelfIntersectionKind::itself:
      return "a shell crosses itself; regions that it winds round backwards count as outside in verdicts";
    case SelfIntersectionKind::folded:
      return "triangles of one shell lie on each other, facing opposite ways; verdicts are not affected";
    case SelfIntersectionKind::open:
      return "a shell that is not closed crosses another one; verdicts near there may be undecided";
    case SelfIntersectionKind::shells:
      return "closed shells cross each other; verdicts take their union";
  }
  return {};
}

/// Lines about the crossings of one part, worst kind first.
void describeCrossings(const TriangleMesh& part, const std::vector<SelfIntersection>& found,
                       std::vector<std::string>& lines) {
  const auto face = [&](SurfaceId id) {
    const auto& description = part.surfaces()[index(id)].description;
    return fmt::format("face {}{}", index(id), description ? " (" + text(*description) + ")" : "");
  };
  for (auto from = found.begin(); from != found.end();) {
    const auto to = std::find_if(from, found.end(), [&](const auto& f) { return f.kind != from->kind; });
    std::size_t pairs = 0;
    for (auto f = from; f != to; ++f) pairs += f->pairs;
    lines.push_back(
        fmt::format("      {} cross: {}", countedPairs(pairs, "triangles"), meaningOf(from->kind)));
    for (; from != to; ++from)
      lines.push_back(fmt::format("        {} x {}: {}, as at {}", face(from->a), face(from->b),
                                  countText(from->pairs, "pair"), pointText(from->point)));
  }
}

/// Prints which parts bound a volume. Lists the other parts with their open edges (all of them with `all`).
/// With `crossings`, also finds the triangles of each part that cross each other. Returns false if it was
/// cancelled.
bool printWatertightness(const Scene& scene, bool all, bool crossings, Console& console) {
  const Assembly& assembly = scene.assembly();
  const Progress& progress = console.progress();
  std::set<const TriangleMesh*> known;
  std::vector<PartId> parts;
  for (std::uint32_t i = 0; i < assembly.partCount(); ++i)
    if (known.insert(&assembly.part(PartId{i})).second) parts.push_back(PartId{i});
  struct Finding {
    std::string said;
    std::vector<SurfaceId> open;
    std::vector<SelfIntersection> crossings;
  };
  std::vector<Finding> findings(parts.size());
  std::atomic<std::size_t> done{0}, closed{0};
  const WorkMeter meter(progress);
  const auto look = [&](std::size_t i, unsigned) {
    meter.poll();
    const auto solid = SolidModel::build(scene.collisionModel(parts[i]), meter);
    findings[i].said = text(*solid);
    if (all) findings[i].open = solid->watertightness().openSurfaces();
    closed += solid->watertightness().closed();
    if (crossings) findings[i].crossings = selfIntersections(*solid, meter);
    progress.report("finding which parts are closed",
                    static_cast<double>(++done) / static_cast<double>(parts.size()));
  };
  try {
    parallelFor(parts.size(), 0, look);
  } catch (const CancelledError&) {
    console.clear();
    say("  cancelled before all parts were examined\n");
    return false;
  }
  console.clear();
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& [said, open, crossing] = findings[i];
    const std::string& name = assembly.part(parts[i]).name();
    if (all || said != "closed")
      lines.push_back(fmt::format("    {}: {}", name.empty() ? "(no name)" : name, said));
    for (SurfaceId s : open) lines.push_back(fmt::format("      face {} has open edges", index(s)));
  }
  say("  closed         {} of {} distinct parts{}\n", closed.load(), parts.size(),
      closed < parts.size() ? "; the depth of overlaps of the others is a lower bound" : "");
  constexpr std::size_t shown = 20;
  for (std::size_t i = 0; i < lines.size() && (all || i < shown); ++i) say("{}\n", lines[i]);
  if (!all && lines.size() > shown)
    say("    ... and {} more; --watertightness lists all\n", lines.size() - shown);
  if (!crossings) return true;
  std::size_t crossed = 0;
  lines.clear();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (findings[i].crossings.empty()) continue;
    ++crossed;
    const std::string& name = assembly.part(parts[i]).name();
    lines.push_back(fmt::format("    {}:", name.empty() ? "(no name)" : name));
    describeCrossings(assembly.part(parts[i]), findings[i].crossings, lines);
  }
  say("  crossings      in {} of {} distinct parts\n", crossed, parts.size());
  for (const std::string& line : lines) say("{}\n", line);
  return true;
}

void printSurfaces(const Assembly& assembly) {
  for (NodeId node : assembly.instances()) {
    const TriangleMesh& mesh = assembly.meshOf(node);
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s)
      say("{}  {} triangles, area {:.6g}\n", surfaceText(assembly, node, SurfaceId{s}),
          mesh.surfaces()[s].triangleCount, mesh.surfaces()[s].fingerprint.area);
  }
}

}  // namespace

Command addInfo(CLI::App& app) {
  struct Options {
    InputOptions input;
    std::vector<std::string> hierarchies;
    bool tree = false, surfaces = false, watertightness = false, crossings = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("info", "Print what a file contains: parts, faces, triangles, units, warnings");
  options->input.addTo(*command, true);
  command->add_flag("--tree", options->tree, "Print the assembly tree");
  oneEachTime(command->add_option(
                  "--hierarchy", options->hierarchies,
                  "Also build this kind of hierarchy and print its memory; may be given more than once: " +
                      field::hierarchyKindNames()))
      ->type_name("KIND");
  command->add_flag("--surfaces", options->surfaces, "List every surface of every instance");
  command->add_flag("--watertightness", options->watertightness,
                    "List the open edges of every part, face by face");
  command->add_flag("--self-intersections", options->crossings,
                    "List the faces of every part whose triangles cross each other, and what that means for "
                    "verdicts;\npoints are in the part's frame");
  command->footer("Examples:\n  fitup info assembly.step --tree\n  fitup info part.stl --unit in --surfaces");
  return [options] {
    Console console(options->input.quiet);
    std::vector<HierarchyKind> kinds;
    for (const std::string& text : options->hierarchies) {
      kinds.push_back(hierarchyKind(text));
      options->input.read.build.add(kinds.back());
    }
    const Model model = options->input.loadProject(console.progress()).posed();
    console.clear();
    printSummary(model, kinds);
    if (!printWatertightness(sceneOf(model), options->watertightness, options->crossings, console))
      return exitIncomplete;
    if (options->tree)
      for (std::uint32_t i = 0; i < model.assembly.nodes().size(); ++i)
        if (!model.assembly.nodes()[i].parent) printTree(model.assembly, NodeId{i}, 1);
    if (options->surfaces) printSurfaces(model.assembly);
    return printWarnings(model, options->input.verbose) ? exitIncomplete : exitNothingFound;
  };
}

}  // namespace fitup::cli
