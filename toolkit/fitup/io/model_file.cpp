#include <fitup/io/model_file.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <type_traits>

#include <fitup/base/count_text.h>
#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/base/text.h>
#include <fitup/io/detail/block_file.h>
#include <fitup/io/detail/byte_stream.h>

namespace fitup {
namespace {

using detail::BlockFileReader;
using detail::BlockFileWriter;
using detail::BlockKind;
using detail::ByteReader;
using detail::ByteWriter;

// Arrays are written as they are in memory, so no element may have padding.
static_assert(sizeof(Point3f) == 12 && sizeof(TriangleIndices) == 12 && sizeof(RTreeEntry) == 32);
static_assert(std::is_trivially_copyable_v<WideNode> && std::is_trivially_copyable_v<WideCylinders> &&
              std::is_trivially_copyable_v<CompactWideNode>);
static_assert(sizeof(WideFrame) == 48 && sizeof(FeatureEdge) == 16);
static_assert(sizeof(RTreeRoot) == 32 && std::is_trivially_copyable_v<RTreeRoot>);

constexpr std::uint32_t none = 0xffffffffU;
/// The first version with layers of nodes and chord errors of surfaces.
constexpr std::uint32_t layersVersion = 6;

// ---- writing ----

std::string sourceBlock(const ModelSource& source) {
  ByteWriter out;
  out.put(source.path);
  out.put(source.digest);
  out.put(source.importOptions);
  out.put(static_cast<std::uint64_t>(source.referencedFiles.size()));
  for (const CompanionFile& companion : source.referencedFiles) {
    out.put(companion.path);
    out.put(companion.digest);
  }
  return out.bytes();
}

std::string warningsBlock(const std::vector<ImportWarning>& warnings) {
  ByteWriter out;
  out.put(static_cast<std::uint64_t>(warnings.size()));
  for (const ImportWarning& warning : warnings) {
    out.put(warning.element);
    out.put(warning.message);
    out.put(static_cast<std::uint8_t>(warning.incomplete));
  }
  return out.bytes();
}

std::string treeBlock(const Assembly& assembly, const std::vector<std::uint32_t>& meshOfPart,
                      std::size_t meshCount, bool hasModels) {
  ByteWriter out;
  out.put(assembly.name());
  out.put(assembly.unit());
  out.put(assembly.upAxis());
  out.put(static_cast<std::uint64_t>(meshCount));
  out.put(static_cast<std::uint8_t>(hasModels));
  out.put(static_cast<std::uint64_t>(meshOfPart.size()));
  for (std::uint32_t mesh : meshOfPart) out.put(mesh);
  out.put(static_cast<std::uint64_t>(assembly.nodes().size()));
  for (const AssemblyNode& node : assembly.nodes()) {
    out.put(node.name);
    out.put(node.parent ? static_cast<std::uint32_t>(*node.parent) : none);
    out.put(node.part ? static_cast<std::uint32_t>(*node.part) : none);
    out.put(node.parentFromNode);
    out.put(node.colour);
    out.put(static_cast<std::uint64_t>(node.layers.size()));
    for (const std::string& layer : node.layers) out.put(layer);
  }
  return out.bytes();
}

void putDescription(ByteWriter& out, const SurfaceDescription& description) {
  out.put(description.kind);
  out.put(description.point);
  out.put(description.axis);
  out.put(description.radius);
  out.put(description.secondRadius);
  out.put(description.halfAngle);
}

std::string meshBlock(const TriangleMesh::Data& data) {
  ByteWriter out;
  out.put(data.name);
  out.put(data.origin);
  out.put(static_cast<std::uint8_t>(data.deflection.has_value()));
  if (data.deflection) {
    out.put(data.deflection->linear);
    out.put(data.deflection->angular);
  }
  out.put(data.validation.degenerateTriangles);
  out.put(data.validation.largestRounding);
  out.put(static_cast<std::uint64_t>(data.surfaces.size()));
  for (const Surface& surface : data.surfaces) {
    out.put(surface.name);
    out.put(surface.colour);
    out.put(static_cast<std::uint8_t>(surface.description.has_value()));
    if (surface.description) putDescription(out, *surface.description);
    out.put(surface.firstTriangle);
    out.put(surface.triangleCount);
    out.put(surface.fingerprint.kind);
    out.put(surface.fingerprint.area);
    out.put(surface.fingerprint.centroid);
    out.put(surface.chordError);
  }
  return out.bytes();
}

void putRoot(ByteWriter& out, const RTreeRoot& root) {
  out.put(root.first);
  out.put(root.count);
  for (const Point3f& p : {root.box.min, root.box.max})
    for (float c : {p.x, p.y, p.z}) out.put(c);
}

std::string treesBlock(const ScdTrees& trees) {
  ByteWriter out;
  out.put(static_cast<std::uint32_t>(trees.options.build));
  out.put(trees.options.fanOut);
  putRoot(out, trees.surfaceTree);
  return out.bytes();
}

/// Adds the nodes of one layout, and the data of its leaves.
void addWide(BlockFileWriter& out, std::uint32_t index, const WideBvh& wide) {
  ByteWriter head;
  head.put(wide.layout);
  out.add(BlockKind::wideTree, index, head.bytes());
  out.addArray(BlockKind::wideFrames, index, wide.frames.span());
  if (wide.layout == WideLayout::fast) {
    out.addArray(BlockKind::wideNodes, index, wide.nodes.span());
    out.addArray(BlockKind::wideCylinders, index, wide.cylinders.span());
    out.addArray(BlockKind::wideLeaves, index, wide.packets.span());
  } else {
    out.addArray(BlockKind::wideNodes, index, wide.compactNodes.span());
    out.addArray(BlockKind::wideLeaves, index, wide.triangleAt.span());
  }
}

// ---- reading ----

/// Reads names from a file, shortens them to `longestName`, and records which were shortened.
class ShortNames {
 public:
  /// `element` is the owner of the name, for the warning.
  void get(ByteReader& in, std::string& name, std::string_view element) {
    in.get(name);
    if (name.size() <= longestName) return;
    constexpr std::size_t shown = 64;
    if (count_++ == 0) first_ = std::string(element) + " '" + shortened(name, shown) + "'";
    name = shortened(name);
  }
  void add(const ShortNames& more) {
    if (count_ == 0) first_ = more.first_;
    count_ += more.count_;
  }
  void warn(std::vector<ImportWarning>& warnings) const {
    if (count_ == 0) return;
    warnings.push_back({first_, "its name is longer than " + std::to_string(longestName) +
                                    " bytes and was shortened" +
                                    (count_ > 1 ? ", as were " + countText(count_ - 1, "other name") : "")});
  }

 private:
  std::size_t count_ = 0;
  std::string first_;
};

ModelSource readSource(const BlockFileReader& file) {
  ByteReader in(file.block(BlockKind::source, 0), file.name(), blockName(BlockKind::source, 0));
  ModelSource source;
  // Version 4 has checksums of 8 bytes, from which no digest follows.
  const bool hasDigests = file.version() > 4;
  const auto getDigest = [&](Digest& digest) {
    std::uint64_t checksum = 0;
    if (hasDigests)
      in.get(digest);
    else
      in.get(checksum);
  };
  in.get(source.path);
  getDigest(source.digest);
  in.get(source.importOptions);
  source.referencedFiles.resize(in.count(hasDigests ? 40 : 16));
  for (CompanionFile& companion : source.referencedFiles) {
    in.get(companion.path);
    getDigest(companion.digest);
  }
  in.expectEnd();
  return source;
}

std::vector<ImportWarning> readWarnings(const BlockFileReader& file) {
  ByteReader in(file.block(BlockKind::warnings, 0), file.name(), blockName(BlockKind::warnings, 0));
  std::vector<ImportWarning> warnings(in.count(17));
  for (ImportWarning& warning : warnings) {
    for (std::string* text : {&warning.element, &warning.message}) {
      in.get(*text);
      if (text->size() > longestName) *text = shortened(*text);
    }
    warning.incomplete = in.flag();
  }
  in.expectEnd();
  return warnings;
}

SurfaceDescription readDescription(ByteReader& in) {
  SurfaceDescription description;
  in.get(description.kind, SurfaceKind::freeform);
  in.get(description.point);
  in.get(description.axis);
  in.get(description.radius);
  in.get(description.secondRadius);
  in.get(description.halfAngle);
  return description;
}

/// Largest possible rounding: a stored coordinate differs from the given one by at most half a step of 32-bit
/// floats at the largest coordinate (and, in double precision, at the origin). A file that claims more would
/// make every clash count as rounding.
double mostRounding(const TriangleMesh::Data& data) {
  float largest = 0;
  for (const Point3f& p : data.points.span())
    for (const float c : {p.x, p.y, p.z}) largest = std::max(largest, std::abs(c));
  const double origin = std::max({std::abs(data.origin.x), std::abs(data.origin.y), std::abs(data.origin.z)});
  return 0x1p-23 * static_cast<double>(largest) + 0x1p-51 * origin + 1e-30;
}

std::shared_ptr<const TriangleMesh> readMesh(const BlockFileReader& file, std::uint32_t index,
                                             ShortNames& names) {
  ByteReader in(file.block(BlockKind::mesh, index), file.name(), blockName(BlockKind::mesh, index));
  TriangleMesh::Data data;
  names.get(in, data.name, "part");
  in.get(data.origin);
  if (in.flag()) {
    Deflection& deflection = data.deflection.emplace();
    in.get(deflection.linear);
    in.get(deflection.angular);
  }
  in.get(data.validation.degenerateTriangles);
  in.get(data.validation.largestRounding);
  data.surfaces.resize(in.count(54));
  for (Surface& surface : data.surfaces) {
    names.get(in, surface.name, "surface");
    in.get(surface.colour);
    if (in.flag()) surface.description = readDescription(in);
    in.get(surface.firstTriangle);
    in.get(surface.triangleCount);
    in.get(surface.fingerprint.kind, SurfaceKind::freeform);
    in.get(surface.fingerprint.area);
    in.get(surface.fingerprint.centroid);
    if (file.version() >= layersVersion) in.get(surface.chordError);
  }
  in.expectEnd();
  data.points = file.array<Point3f>(BlockKind::points, index);
  data.triangles = file.array<TriangleIndices>(BlockKind::triangles, index);
  data.sourceTriangles = file.array<std::uint32_t>(BlockKind::sourceTriangles, index);
  data.featureEdges = file.arrayIfAny<FeatureEdge>(BlockKind::featureEdges, index);
  data.edgePoints = file.arrayIfAny<std::uint32_t>(BlockKind::edgePoints, index);
  if (const double most = mostRounding(data); std::isfinite(most))
    data.validation.largestRounding = std::min(data.validation.largestRounding, most);
  try {
    return std::make_shared<const TriangleMesh>(std::move(data));
  } catch (const Error& error) {
    file.fail(BlockKind::mesh, index, error.what());
  }
}

std::optional<WideBvh> readWide(const BlockFileReader& file, std::uint32_t index) {
  if (!file.has(BlockKind::wideTree, index)) return std::nullopt;
  ByteReader in(file.block(BlockKind::wideTree, index), file.name(), blockName(BlockKind::wideTree, index));
  WideBvh wide;
  in.get(wide.layout, WideLayout::compact);
  in.expectEnd();
  wide.frames = file.array<WideFrame>(BlockKind::wideFrames, index);
  if (wide.layout == WideLayout::fast) {
    wide.nodes = file.array<WideNode>(BlockKind::wideNodes, index);
    wide.cylinders = file.array<WideCylinders>(BlockKind::wideCylinders, index);
    wide.packets = file.array<float>(BlockKind::wideLeaves, index);
  } else {
    wide.compactNodes = file.array<CompactWideNode>(BlockKind::wideNodes, index);
    wide.triangleAt = file.array<std::uint32_t>(BlockKind::wideLeaves, index);
  }
  return wide;
}

std::shared_ptr<const CollisionModel> readCollisionModel(const BlockFileReader& file, std::uint32_t index,
                                                         std::shared_ptr<const TriangleMesh> mesh,
                                                         Trust trust) {
  ByteReader in(file.block(BlockKind::trees, index), file.name(), blockName(BlockKind::trees, index));
  ScdTrees trees;
  std::uint32_t build = 0;
  in.get(build);
  if (build > static_cast<std::uint32_t>(RTreeBuild::guttman)) in.fail("holds an unknown value");
  trees.options.build = static_cast<RTreeBuild>(build);
  in.get(trees.options.fanOut);
  in.get(trees.surfaceTree.first);
  in.get(trees.surfaceTree.count);
  for (Point3f* p : {&trees.surfaceTree.box.min, &trees.surfaceTree.box.max})
    for (float* c : {&p->x, &p->y, &p->z}) in.get(*c);
  in.expectEnd();
  std::optional<WideBvh> wide;
  const auto fail = [&](BlockKind kind, const std::string& problem) {
    file.fail(kind, index, "part '" + mesh->name() + "': " + problem);
  };
  constexpr std::size_t trianglesEach = 100'000;  // fewer are checked before another thread has started
  const unsigned threads = workerCount(0, mesh->triangleCount() / trianglesEach);
  parallelFor(2, threads, [&](std::size_t i, unsigned) {
    // Each array is checked while it is still in the processor's cache.
    if (i == 0) {
      trees.entries = file.array<RTreeEntry>(BlockKind::treeEntries, index);
      trees.triangleTrees = file.array<RTreeRoot>(BlockKind::treeRoots, index);
      if (!trees.isWellFormedFor(*mesh, file.meter())) fail(BlockKind::trees, "they do not fit the mesh");
    } else if ((wide = readWide(file, index))) {
      if (const auto problem = wide->problemFor(*mesh, trust == Trust::none, file.meter(), threads))
        fail(BlockKind::wideTree, *problem);
    }
  });
  return CollisionModel::fromCheckedTrees(std::move(mesh), std::move(trees), std::move(wide));
}

/// Reads the nodes; the parts were added before.
void readNodes(ByteReader& in, bool haveLayers, Assembly& assembly, ShortNames& names) {
  constexpr std::size_t deepest = 1000;  // functions that show a tree descend it by recursion
  // Each instance has a path: nodes of few bytes below others with long names would make a small file large.
  constexpr std::size_t longestPath = 16384;
  std::vector<std::size_t> depths, pathLengths;
  for (std::size_t i = 0, n = in.count(113); i < n; ++i) {
    std::string name;
    std::uint32_t parent = none, part = none;
    Transform placement;
    std::optional<Colour> colour;
    names.get(in, name, "node");
    in.get(parent);
    in.get(part);
    const std::size_t pathLength = 1 + escapedName(name).size();
    in.get(placement);
    in.get(colour);
    std::vector<std::string> layers(haveLayers ? in.count(sizeof(std::uint64_t)) : 0);
    for (std::string& layer : layers) names.get(in, layer, "layer");
    try {
      const NodeId node = assembly.addNode(std::move(name), placement,
                                           parent == none ? std::nullopt : std::optional(NodeId(parent)),
                                           part == none ? std::nullopt : std::optional(PartId(part)), colour);
      assembly.setLayers(node, std::move(layers));
    } catch (const Error& error) {
      in.fail("node " + std::to_string(i) + ": " + error.what());
    }
    depths.push_back(parent == none ? 1 : depths[parent] + 1);
    if (depths.back() > deepest)
      in.fail("node " + std::to_string(i) + ": is nested more than " + std::to_string(deepest) +
              " levels deep");
    pathLengths.push_back(pathLength + (parent == none ? 0 : pathLengths[parent]));
    if (pathLengths.back() > longestPath)
      in.fail("node " + std::to_string(i) + ": its path is longer than " + std::to_string(longestPath) +
              " bytes");
  }
}

/// Unless a tolerance is given, it is twice the chord error, so an exaggerated chord error turns clashes into
/// contacts. The distance of a mesh from the surfaces that it represents cannot be checked, but a large
/// claimed distance deserves a warning.
void warnOfChordErrors(Model& model) {
  constexpr double suspicious = 0.1;  // share of the part's size; useful tessellations are much finer
  for (std::uint32_t p = 0; p < model.assembly.partCount(); ++p) {
    const TriangleMesh& mesh = model.assembly.part(PartId(p));
    if (!mesh.deflection() || mesh.bounds().empty()) continue;
    const double chordError = mesh.deflection()->linear, size = 2 * norm(mesh.bounds().halfExtent());
    if (!(chordError > suspicious * size)) continue;
    const ImportWarning warning{
        mesh.name(),
        "the model file says that its chord error is " + numberText(chordError) + " " +
            model.assembly.unit() +
            ", more than a tenth of its size; verdicts derive their tolerance from it unless one is given"};
    if (std::find(model.warnings.begin(), model.warnings.end(), warning) == model.warnings.end())
      model.warnings.push_back(warning);
  }
}

/// Collects the blocks of a model; refers to its arrays. `name` stands for the file in messages.
BlockFileWriter blocksOf(const Model& model, const std::string& name) {
  const Assembly& assembly = model.assembly;
  const bool hasModels = !model.collisionModels.empty();
  if (hasModels && model.collisionModels.size() != assembly.partCount())
    throw InputError(name, "collision models", "there is not one for each part");
  if (!model.exactShapes.empty() && model.exactShapes.size() != assembly.partCount())
    throw InputError(name, "exact shapes", "there is not one for each part");

  // A mesh that several parts share is stored once.
  std::map<const TriangleMesh*, std::uint32_t> meshes;
  std::vector<std::uint32_t> meshOfPart;
  BlockFileWriter out;
  out.add(BlockKind::source, 0, sourceBlock(model.source));
  out.add(BlockKind::warnings, 0, warningsBlock(model.warnings));
  for (std::uint32_t p = 0; p < assembly.partCount(); ++p) {
    const TriangleMesh& mesh = assembly.part(PartId(p));
    const auto [found, isNew] = meshes.emplace(&mesh, static_cast<std::uint32_t>(meshes.size()));
    const std::uint32_t index = found->second;
    meshOfPart.push_back(index);
    if (!isNew) continue;
    out.add(BlockKind::mesh, index, meshBlock(mesh.data()));
    out.addArray(BlockKind::points, index, mesh.points());
    out.addArray(BlockKind::triangles, index, mesh.triangles());
    out.addArray(BlockKind::sourceTriangles, index, mesh.data().sourceTriangles.span());
    if (!mesh.featureEdges().empty()) {
      out.addArray(BlockKind::featureEdges, index, mesh.featureEdges());
      out.addArray(BlockKind::edgePoints, index, mesh.data().edgePoints.span());
    }
    if (!model.exactShapes.empty() && !model.exactShapes[p].empty())
      out.addArray(BlockKind::exactShape, index, model.exactShapes[p].span());
    if (!hasModels) continue;
    const auto& collisionModel = model.collisionModels[p];
    if (!collisionModel || &collisionModel->mesh() != &mesh)
      throw InputError(name, "part '" + mesh.name() + "'", "its collision model belongs to another mesh");
    out.add(BlockKind::trees, index, treesBlock(collisionModel->rtrees()));
    out.addArray(BlockKind::treeEntries, index, collisionModel->rtrees().entries.span());
    out.addArray(BlockKind::treeRoots, index, collisionModel->rtrees().triangleTrees.span());
    if (collisionModel->hasWide()) addWide(out, index, collisionModel->wide());
  }
  out.add(BlockKind::tree, 0, treeBlock(assembly, meshOfPart, meshes.size(), hasModels));
  return out;
}

Model readModel(const BlockFileReader& file, Trust trust) {
  Model model;
  model.source = readSource(file);
  model.warnings = readWarnings(file);

  ByteReader in(file.block(BlockKind::tree, 0), file.name(), blockName(BlockKind::tree, 0));
  std::string name, unit;
  UpAxis upAxis{};
  std::uint64_t meshCount = 0;
  ShortNames names;
  names.get(in, name, "assembly");
  in.get(unit);
  if (unit.size() > 16 ||
      std::any_of(unit.begin(), unit.end(), [](unsigned char c) { return c < 33 || c > 126; }))
    in.fail("the unit is not a word");
  in.get(upAxis, UpAxis::z);
  in.get(meshCount);
  const bool hasModels = in.flag();
  std::vector<std::uint32_t> meshOfPart(in.count(sizeof(std::uint32_t)));
  for (std::uint32_t& mesh : meshOfPart) {
    in.get(mesh);
    if (mesh >= meshCount) in.fail("a part refers to a mesh that does not exist");
  }
  if (meshCount > meshOfPart.size()) in.fail("holds a mesh that no part uses");

  model.assembly = Assembly(name);
  model.assembly.setUnit(unit);
  model.assembly.setUpAxis(upAxis);
  std::vector<std::shared_ptr<const TriangleMesh>> meshes(meshCount);
  CollisionModels models(hasModels ? meshCount : 0);
  std::vector<ExactShape> exactShapes(meshCount);
  std::vector<ShortNames> namesOfMesh(meshCount);
  // The message names the first of several damaged blocks, whatever the order of threads.
  file.readLargeBlocks();
  parallelFor(meshCount, 0, [&](std::size_t i, unsigned) {
    const auto mesh = static_cast<std::uint32_t>(i);
    meshes[i] = readMesh(file, mesh, namesOfMesh[i]);
    exactShapes[i] = file.arrayIfAny<std::byte>(BlockKind::exactShape, mesh);
    if (hasModels) models[i] = readCollisionModel(file, mesh, meshes[i], trust);
  });
  const bool hasShapes = std::any_of(exactShapes.begin(), exactShapes.end(),
                                     [](const ExactShape& shape) { return !shape.empty(); });
  for (std::uint32_t mesh : meshOfPart) {
    model.assembly.addPart(meshes[mesh]);
    if (hasModels) model.collisionModels.push_back(models[mesh]);
    if (hasShapes) model.exactShapes.push_back(exactShapes[mesh]);
  }
  readNodes(in, file.version() >= layersVersion, model.assembly, names);
  in.expectEnd();
  for (const ShortNames& more : namesOfMesh) names.add(more);
  names.warn(model.warnings);
  if (trust == Trust::none) warnOfChordErrors(model);
  return model;
}

}  // namespace

void writeModelFile(const std::filesystem::path& path, const Model& model, const Progress& progress) {
  blocksOf(model, path.string()).write(path, progress);
}

Model readModelFile(const std::filesystem::path& path, const Progress& progress, Trust trust) {
  if (trust == Trust::file)
    return readModel(BlockFileReader(FileBytes::map(path), path.string(), progress), trust);
  const BlockFileReader file(path, progress);
  try {
    Model model = readModel(file, trust);
    file.finish();
    return model;
  } catch (const InputError&) {
    file.finish();  // throws if a change of the file is the reason
    throw;
  }
}

std::string modelFileBytes(const Model& model) {
  std::ostringstream stream;
  blocksOf(model, "model").write(stream);
  return std::move(stream).str();
}

Model readModelBytes(std::span<const std::byte> bytes, const std::string& name) {
  return readModel(BlockFileReader(FileBytes::copyOf(bytes), name), Trust::none);
}

std::optional<ModelSource> readModelFileSource(const std::filesystem::path& path) {
  try {
    return readSource(BlockFileReader(path));
  } catch (const Error&) {
    return std::nullopt;
  }
}

Scene sceneOf(const Model& model) { return Scene(model.assembly, model.collisionModels); }

}  // namespace fitup
