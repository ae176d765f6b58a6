#include "tessellated_products.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/mesh/weld.h>

#include "tessellated_items.h"

namespace fitup::importers {
namespace {

using Id = std::uint64_t;

constexpr std::size_t listedOthers = 20;
constexpr std::size_t deepestNesting = 64;
/// Triangles and uses of items that every file may have; a larger file may have as many as it has bytes. The
/// text of a triangle takes several bytes, so only items that are used again and again come near the limit.
constexpr std::size_t alwaysAllowed = 10'000'000;

bool isTessellated(std::string_view type) {
  constexpr std::array<std::string_view, 5> families{"TESSELLATED_", "TRIANGULATED_", "COMPLEX_TRIANGULATED_",
                                                     "CUBIC_BEZIER_TRI", "REPOSITIONED_TESSELLATED_"};
  return !type.ends_with("_OCCURRENCE") && type.find("_REPRESENTATION") == type.npos &&
         std::any_of(families.begin(), families.end(),
                     [&](std::string_view family) { return type.starts_with(family); });
}

/// Whether the type is an edge, curve or point, of which no triangle is a part.
bool isWithoutArea(std::string_view type) {
  constexpr std::array<std::string_view, 7> types{
      "TESSELLATED_CURVE_SET",       "TESSELLATED_POINT_SET", "TESSELLATED_EDGE", "TESSELLATED_WIRE",
      "TESSELLATED_CONNECTING_EDGE", "TESSELLATED_VERTEX",    "TESSELLATED_PATH"};
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool isAnnotation(std::string_view type) {
  return type.starts_with("TESSELLATED_ANNOTATION_") && type.ends_with("_OCCURRENCE");
}

constexpr std::string_view tessellatedRepresentation = "TESSELLATED_SHAPE_REPRESENTATION",
                           accurateRepresentation =
                               "TESSELLATED_SHAPE_REPRESENTATION_WITH_ACCURACY_PARAMETERS";

std::string element(Id entity) { return "entity #" + std::to_string(entity); }

std::string countText(std::size_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

class TessellationReader {
 public:
  TessellationReader(std::string_view text, const Part21Entities& entities)
      : entities_(entities), items_(text, entities), allowed_(std::max(alwaysAllowed, text.size())) {}

  StepTessellation read() {
    findColours();
    findLayers();
    for (const auto& [definition, representations] : representationsOfProducts())
      readProduct(definition, representations);
    for (const std::string_view type : {tessellatedRepresentation, accurateRepresentation})
      for (const Id each : entities_.instancesOf(type)) (void)representation(each);
    mergeHidden();
    result_.items.assign(namedItems_.begin(), namedItems_.end());
    warnOfOthers();
    return std::move(result_);
  }

 private:
  struct Representation {
    std::vector<Id> items;  ///< tessellated ones
    std::optional<Id> context;
  };

  /// Returns the types of an instance; empty if it does not exist.
  std::vector<std::string_view> typesOf(Id entity) const {
    try {
      return items_.record(entity).types();
    } catch (const InputError&) {
      return {};
    }
  }

  bool isTessellatedItem(Id entity) const {
    if (const std::string_view type = entities_.typeOf(entity); !type.empty()) return isTessellated(type);
    const auto types = typesOf(entity);
    return std::any_of(types.begin(), types.end(), isTessellated);
  }

  /// Returns the representations of each product, its own first.
  std::map<Id, std::vector<Id>> representationsOfProducts() const {
    std::map<Id, std::vector<Id>> ofProduct;
    std::map<Id, std::set<Id>> related;
    std::set<Id> own;
    for (const Id each : entities_.instancesOf("SHAPE_DEFINITION_REPRESENTATION")) {
      const auto references = entities_.referencesOf(each);
      if (references.size() != 2 || entities_.typeOf(references[0]) != "PRODUCT_DEFINITION_SHAPE") continue;
      const auto definitions = entities_.referencesOf(references[0]);
      if (definitions.empty()) continue;
      const std::string_view type = entities_.typeOf(definitions.back());
      if (type != "PRODUCT_DEFINITION" && type != "PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS") continue;
      ofProduct[definitions.back()].push_back(references[1]);
      own.insert(references[1]);
    }
    for (const Id each : entities_.instancesOf("SHAPE_REPRESENTATION_RELATIONSHIP")) {
      const auto references = entities_.referencesOf(each);
      if (references.size() != 2) continue;
      related[references[0]].insert(references[1]);
      related[references[1]].insert(references[0]);
    }
    for (auto& [definition, representations] : ofProduct) {
      std::set<Id> seen(representations.begin(), representations.end());
      for (std::size_t i = 0; i < representations.size(); ++i)
        for (const Id other : related[representations[i]])
          if (!own.contains(other) && seen.insert(other).second) representations.push_back(other);
    }
    return ofProduct;
  }

  const Representation& representation(Id id) {
    const auto [known, isNew] = representations_.try_emplace(id);
    if (isNew) {
      try {
        known->second = readRepresentation(id);
      } catch (const InputError& error) {
        const auto references = entities_.referencesOf(id);
        if (std::any_of(references.begin(), references.end(),
                        [&](Id item) { return isTessellatedItem(item); }))
          result_.warnings.push_back({element(id), std::string("is not read: ") + error.what(), true});
      }
    }
    return known->second;
  }

  Representation readRepresentation(Id id) {
    Part21Record record = items_.record(id);
    Representation found;
    struct Item {
      TextSpan text;
      bool isTessellated;
    };
    std::vector<Item> all;
    Part21Cursor& own = record.of("REPRESENTATION");
    (void)own.readString();
    own.readList([&] {
      const std::size_t begin = own.begin();
      const auto item = own.readReference();
      const bool isOurs = item && isTessellatedItem(*item);
      all.push_back({{begin, own.end()}, isOurs});
      if (isOurs) found.items.push_back(*item);
    });
    found.context = own.readReference();
    namedItems_.insert(found.items.begin(), found.items.end());

    // Each item with one of the commas beside it.
    bool isAnyKept = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].isTessellated)
        isAnyKept = true;
      else if (isAnyKept)
        result_.hidden.push_back({all[i - 1].text.end, all[i].text.end});
      else
        result_.hidden.push_back(
            {all[i].text.begin, i + 1 < all.size() ? all[i + 1].text.begin : all[i].text.end});
    }
    const std::string_view type = record.types().front();
    if (record.hasSeveralTypes() || !type.starts_with(tessellatedRepresentation)) return found;
    const std::size_t begin = record.typeBegin(), word = std::string_view("TESSELLATED_").size();
    result_.hidden.push_back({begin, begin + word});
    if (type == accurateRepresentation) {
      result_.hidden.push_back({begin + tessellatedRepresentation.size(), begin + type.size()});
      const std::size_t behindContext = own.end();
      own.readList([&] {
        if (const auto parameter = own.readReference()) namedItems_.insert(*parameter);
      });
      result_.hidden.push_back({behindContext, own.end()});
    }
    return found;
  }

  void readProduct(Id definition, const std::vector<Id>& representations) {
    TessellatedProduct product;
    product.definition = definition;
    product_ = &product;
    loose_ = {};
    withoutArea_ = 0;
    leftOut_.clear();
    for (const Id each : representations) {
      const Representation& found = representation(each);
      if (found.items.empty()) continue;
      product.items.insert(product.items.end(), found.items.begin(), found.items.end());
      try {
        if (!found.context) throw InputError("it has no context");
        millimetres_ = items_.millimetresIn(*found.context);
      } catch (const InputError& error) {
        for (const Id item : found.items) markUsed(item);
        product.warnings.push_back(
            {element(each), std::string("its tessellated shape is missing: ") + error.what(), true});
        continue;
      }
      for (const Id item : found.items) add(item, Transform{}, {}, nullptr);
    }
    if (!loose_.faces.empty()) product.bodies.push_back(std::move(loose_));
    if (withoutArea_ > 0)
      product.warnings.push_back(
          {element(definition),
           std::to_string(withoutArea_) +
               " tessellated curves, edges or points of the product are not read: only faces are checked",
           false});
    if (!product.items.empty()) result_.products.push_back(std::move(product));
    product_ = nullptr;
  }

  void leaveOut(Id item, std::string_view type, const std::string& why) {
    if (!leftOut_.insert(item).second) return;
    product_->warnings.push_back(
        {element(item), std::string(type) + " is not read; it is missing: " + why, true});
  }

  /// Marks an item whose placement is unknown, and everything below it, as used, because the item is reported
  /// itself.
  void markUsed(Id item) {
    std::vector<Id> open{item};
    std::set<Id> seen;
    while (!open.empty()) {
      const Id at = open.back();
      open.pop_back();
      if (!seen.insert(at).second || !isTessellatedItem(at)) continue;
      used_.insert(at);
      const auto references = entities_.referencesOf(at);
      open.insert(open.end(), references.begin(), references.end());
    }
  }

  void spend(Id item, std::size_t triangles) {
    spent_ += triangles + 1;
    if (spent_ > allowed_)
      throw InputError(element(item), "", "the file repeats its tessellated items too often");
  }

  void add(Id item, const Transform& productFromParent, std::optional<Colour> colour, TessellatedBody* body) {
    spend(item, 0);
    used_.insert(item);
    const std::vector<std::string_view> types = typesOf(item);
    const auto has = [&](std::string_view type) {
      return std::find(types.begin(), types.end(), type) != types.end();
    };
    std::string_view type;
    for (const std::string_view each : types)
      if (isTessellated(each) && each != "TESSELLATED_ITEM" && !each.starts_with("REPOSITIONED_") &&
          (type.empty() || isTriangulated(each)))
        type = each;
    if (type.empty()) {
      if (types.empty()) return leaveOut(item, "an item", "it is not in the file");
      return leaveOut(item, types.front(), "it is not a known kind of shape");
    }
    if (const auto own = colours_.find(item); own != colours_.end()) colour = own->second;
    try {
      Transform productFromItem = productFromParent;
      if (has("REPOSITIONED_TESSELLATED_ITEM")) {
        const auto place = items_.record(item).of("REPOSITIONED_TESSELLATED_ITEM").readReference();
        if (!place) throw InputError("it has no placement");
        productFromItem = productFromParent * items_.placement(*place);
      }
      if (isTriangulated(type)) return addFace(item, productFromItem, colour, body);
      if (isWithoutArea(type)) return (void)++withoutArea_;
      const bool isSolid = type == "TESSELLATED_SOLID";
      if (!isSolid && type != "TESSELLATED_SHELL" && type != "TESSELLATED_GEOMETRIC_SET")
        throw InputError("it is not a known kind of shape");
      if (std::find(open_.begin(), open_.end(), item) != open_.end()) throw InputError("it contains itself");
      if (open_.size() > deepestNesting) throw InputError("it is nested too deeply");

      Part21Record record = items_.record(item);
      const std::string name = record.of("REPRESENTATION_ITEM").readString();
      std::vector<Id> members;
      Part21Cursor& cursor = record.of(type);
      cursor.readList([&] {
        if (const auto member = cursor.readReference()) members.push_back(*member);
      });
      if (members.empty()) throw InputError("it has no faces");
      TessellatedBody own{name, isSolid, {}, {}};
      const bool isBody = body == nullptr && type != "TESSELLATED_GEOMETRIC_SET";
      open_.push_back(item);
      for (const Id member : members) add(member, productFromItem, colour, isBody ? &own : body);
      open_.pop_back();
      if (isBody && !own.faces.empty()) product_->bodies.push_back(std::move(own));
    } catch (const InputError& error) {
      if (spent_ > allowed_) throw;
      markUsed(item);
      leaveOut(item, type, error.what());
    }
  }

  void addFace(Id item, const Transform& productFromItem, std::optional<Colour> colour,
               TessellatedBody* body) {
    TriangulatedItem read = items_.triangulated(item);
    if (read.triangles.empty()) throw InputError("it has no triangles");
    spend(item, read.triangles.size());
    const std::vector<Vec3>& points = items_.coordinates(read.coordinates);
    TessellatedFace face{item, std::move(read.name), colour, {}};
    face.corners.reserve(3 * read.triangles.size());
    for (const TriangleIndices& triangle : read.triangles)
      for (const std::uint32_t corner : triangle)
        face.corners.push_back(productFromItem.apply(points[corner]) * millimetres_);
    TessellatedBody& owner = body != nullptr ? *body : loose_;
    owner.faces.push_back(std::move(face));
    addLayers(open_, owner);
    addLayers({&item, 1}, owner);
  }

  void addLayers(std::span<const Id> items, TessellatedBody& body) const {
    for (const Id item : items)
      if (const auto found = layers_.find(item); found != layers_.end())
        for (const std::string& layer : found->second)
          if (std::ranges::find(body.layers, layer) == body.layers.end()) body.layers.push_back(layer);
  }

  /// Finds the layers of tessellated items.
  void findLayers() {
    constexpr std::string_view type = "PRESENTATION_LAYER_ASSIGNMENT";
    for (const Id each : entities_.instancesOf(type)) {
      std::string name;
      try {
        name = items_.record(each).of(type).readString();
      } catch (const InputError&) {
        // The library reads the same assignments, and says what it cannot read.
      }
      if (name.empty()) continue;
      for (const Id item : entities_.referencesOf(each))
        if (isTessellatedItem(item)) layers_[item].insert(name);
    }
  }

  /// Finds the COLOUR_RGBs of the surface styles of tessellated items. Overriding styles come later.
  void findColours() {
    const auto find = [&](std::string_view type, std::size_t behindItem) {
      for (const Id each : entities_.instancesOf(type)) {
        const auto references = entities_.referencesOf(each);
        if (references.size() < behindItem + 2) continue;
        const std::size_t item = references.size() - 1 - behindItem;
        if (!isTessellatedItem(references[item])) continue;
        if (const auto colour = colourOf(references.first(item))) colours_[references[item]] = *colour;
      }
    };
    find("STYLED_ITEM", 0);
    find("OVER_RIDING_STYLED_ITEM", 1);
  }

  std::optional<Colour> colourOf(std::span<const Id> styles) const {
    constexpr std::size_t mostSteps = 64;
    std::vector<Id> open(styles.rbegin(), styles.rend());
    for (std::size_t steps = 0; !open.empty() && steps < mostSteps; ++steps) {
      const Id at = open.back();
      open.pop_back();
      const std::string_view type = entities_.typeOf(at);
      if (type == "COLOUR_RGB") {
        try {
          Part21Record record = items_.record(at);
          Part21Cursor& own = record.of(type);
          (void)own.readString();
          const auto component = [&] { return static_cast<float>(std::clamp(own.readReal(), 0.0, 1.0)); };
          Colour colour;
          colour.red = component();
          colour.green = component();
          colour.blue = component();
          return colour;
        } catch (const InputError&) {
          return std::nullopt;
        }
      }
      if (!type.starts_with("PRESENTATION_STYLE") && !type.starts_with("SURFACE_S") &&
          !type.starts_with("FILL_AREA_STYLE"))
        continue;
      const auto references = entities_.referencesOf(at);
      open.insert(open.end(), references.rbegin(), references.rend());
    }
    return std::nullopt;
  }

  void mergeHidden() {
    auto& spans = result_.hidden;
    std::sort(spans.begin(), spans.end(),
              [](const TextSpan& a, const TextSpan& b) { return a.begin < b.begin; });
    std::vector<TextSpan> merged;
    for (const TextSpan& span : spans)
      if (merged.empty() || span.begin > merged.back().end)
        merged.push_back(span);
      else
        merged.back().end = std::max(merged.back().end, span.end);
    spans = std::move(merged);
  }

  /// Warns about the triangles that belong to no product.
  void warnOfOthers() {
    for (const std::string& type : entities_.types()) {
      if (!type.empty() && !isAnnotation(type)) continue;
      for (const Id each : entities_.instancesOf(type)) {
        const auto types = type.empty() ? typesOf(each) : std::vector<std::string_view>{type};
        if (std::any_of(types.begin(), types.end(), isAnnotation))
          for (const Id item : entities_.referencesOf(each)) markUsed(item);
      }
    }
    std::size_t more = 0, listed = 0;
    for (const std::string& type : entities_.types()) {
      if (!type.empty() && !isTriangulated(type) && type != "CUBIC_BEZIER_TRIANGULATED_FACE") continue;
      for (const Id each : entities_.instancesOf(type)) {
        if (used_.contains(each)) continue;
        if (type.empty()) {
          const auto types = typesOf(each);
          if (std::none_of(types.begin(), types.end(), isTriangulated)) continue;
        }
        if (++listed > listedOthers)
          ++more;
        else
          result_.warnings.push_back({element(each),
                                      (type.empty() ? std::string("a triangulated item") : type) +
                                          " belongs to no product that is read; it is missing",
                                      true});
      }
    }
    if (more > 0)
      result_.warnings.push_back({"file",
                                  countText(more, "more triangulated item") +
                                      " that belong to no product that is read; they are missing",
                                  true});
  }

  const Part21Entities& entities_;
  TessellatedItems items_;
  StepTessellation result_;
  std::map<Id, Representation> representations_;
  std::map<Id, Colour> colours_;
  std::map<Id, std::set<std::string>> layers_;
  std::set<Id> used_, namedItems_;
  // State of the product that is being read.
  TessellatedProduct* product_ = nullptr;
  TessellatedBody loose_;
  std::vector<Id> open_;  ///< the items that hold the one that is being read
  std::set<Id> leftOut_;
  std::size_t withoutArea_ = 0;
  double millimetres_ = 1;
  std::size_t spent_ = 0, allowed_;
};

}  // namespace

TriangleMesh meshOf(const TessellatedBody& body, const std::string& partName) {
  std::vector<Vec3> corners;
  for (const TessellatedFace& face : body.faces)
    corners.insert(corners.end(), face.corners.begin(), face.corners.end());
  const std::vector<std::uint32_t> first = weldByCoordinates(std::span<const Vec3>(corners));
  TriangleMeshBuilder builder(partName);
  std::vector<std::uint32_t> pointOf(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i)
    pointOf[i] = first[i] == i ? builder.addPoint(corners[i]) : pointOf[first[i]];
  std::size_t at = 0;
  for (const TessellatedFace& face : body.faces) {
    builder.beginSurface(face.name, face.colour);
    for (std::size_t i = 0; i + 2 < face.corners.size(); i += 3, at += 3)
      builder.addTriangle(pointOf[at], pointOf[at + 1], pointOf[at + 2]);
  }
  return builder.build();
}

StepTessellation readTessellation(std::string_view text, const Part21Entities& entities) {
  if (text.find("TESSELLATED_") == text.npos && text.find("TRIANGULATED_") == text.npos) return {};
  return TessellationReader(text, entities).read();
}

}  // namespace fitup::importers
