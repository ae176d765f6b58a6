#include "tessellated_items.h"

#include <array>
#include <utility>

#include <fitup/base/error.h>

namespace fitup::importers {
namespace {

/// Maps the indices of an item to places in its coordinates list.
class PointIndices {
 public:
  PointIndices(std::vector<std::int64_t> indices, std::int64_t largest, std::size_t points)
      : indices_(std::move(indices)), points_(points) {
    if (!indices_.empty() && static_cast<std::int64_t>(indices_.size()) != largest)
      throw InputError("it has " + std::to_string(indices_.size()) + " indices of points where it says " +
                       std::to_string(largest));
    for (std::int64_t& index : indices_) index = place(index, points_);
  }

  [[nodiscard]] std::uint32_t operator()(std::int64_t index) const {
    if (indices_.empty()) return static_cast<std::uint32_t>(place(index, points_));
    return static_cast<std::uint32_t>(indices_[static_cast<std::size_t>(place(index, indices_.size()))]);
  }

 private:
  static std::int64_t place(std::int64_t index, std::size_t count) {
    if (index < 1 || index > static_cast<std::int64_t>(count))
      throw InputError("it refers to point " + std::to_string(index) + " of " + std::to_string(count));
    return index - 1;
  }

  std::vector<std::int64_t> indices_;
  std::size_t points_;
};

template <typename Name>
Vec3 readTriple(Part21Cursor& cursor, const Name& name) {
  Vec3 v;
  int n = 0;
  cursor.readList([&] {
    const double value = cursor.readReal();
    if (n < 3) v[n] = value;
    ++n;
  });
  if (n != 3) throw InputError(name() + " does not have three coordinates");
  return v;
}

bool hasCornerTwice(const TriangleIndices& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

/// Returns the millimetres in a metre with this prefix; 0 for an unknown prefix.
double millimetresWithPrefix(std::string_view prefix) {
  constexpr std::array<std::pair<std::string_view, double>, 11> prefixes{{{"", 1e3},
                                                                          {"MILLI", 1},
                                                                          {"CENTI", 10},
                                                                          {"DECI", 100},
                                                                          {"MICRO", 1e-3},
                                                                          {"NANO", 1e-6},
                                                                          {"DECA", 1e4},
                                                                          {"HECTO", 1e5},
                                                                          {"KILO", 1e6},
                                                                          {"MEGA", 1e9},
                                                                          {"PICO", 1e-9}}};
  for (const auto& [name, length] : prefixes)
    if (name == prefix) return length;
  return 0;
}

Vec3 acrossOf(const Vec3& v, const Vec3& unit) { return v - unit * dot(v, unit); }

}  // namespace

bool isTriangulated(std::string_view type) {
  if (type.starts_with("COMPLEX_")) type.remove_prefix(8);
  return type == "TRIANGULATED_FACE" || type == "TRIANGULATED_SURFACE_SET";
}

Part21Record TessellatedItems::record(std::uint64_t entity) const {
  const auto at = entities_.positionOf(entity);
  if (!at) throw InputError("it refers to #" + std::to_string(entity) + ", which is not in the file");
  return Part21Record(text_, *at);
}

TriangulatedItem TessellatedItems::triangulated(std::uint64_t entity) {
  Part21Record record = this->record(entity);
  std::string_view type;
  for (const std::string_view each : record.types())
    if (isTriangulated(each)) type = each;
  const bool isFace = type.ends_with("_FACE"), isComplex = type.starts_with("COMPLEX_");

  TriangulatedItem item;
  item.name = record.of("REPRESENTATION_ITEM").readString();
  Part21Cursor& base = record.of(isFace ? "TESSELLATED_FACE" : "TESSELLATED_SURFACE_SET");
  const auto list = base.readReference();
  if (!list) throw InputError("it has no list of coordinates");
  item.coordinates = *list;
  const std::int64_t largest = base.readInteger();
  base.skipValue();              // normals
  if (isFace) base.skipValue();  // the exact face

  Part21Cursor& own = record.of(type);
  std::vector<std::int64_t> indices;
  own.readList([&] { indices.push_back(own.readInteger()); });
  const PointIndices point(std::move(indices), largest, coordinates(*list).size());
  std::vector<std::uint32_t> corners;
  const auto readCorners = [&] {
    corners.clear();
    own.readList([&] { corners.push_back(point(own.readInteger())); });
    if (corners.size() < 3) throw InputError("it has a triangle of fewer than three corners");
  };
  if (!isComplex) {
    own.readList([&] {
      readCorners();
      if (corners.size() > 3) throw InputError("it has a triangle of more than three corners");
      item.triangles.push_back({corners[0], corners[1], corners[2]});
    });
    return item;
  }
  const auto add = [&](const TriangleIndices& triangle) {
    if (!hasCornerTwice(triangle)) item.triangles.push_back(triangle);
  };
  own.readList([&] {  // strips, in which every other triangle is reversed
    readCorners();
    for (std::size_t i = 0; i + 2 < corners.size(); ++i)
      if (i % 2 == 0)
        add({corners[i], corners[i + 1], corners[i + 2]});
      else
        add({corners[i + 1], corners[i], corners[i + 2]});
  });
  own.readList([&] {  // fans about their first point
    readCorners();
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) add({corners[0], corners[i], corners[i + 1]});
  });
  return item;
}

const std::vector<Vec3>& TessellatedItems::coordinates(std::uint64_t entity) {
  const auto [known, isNew] = coordinates_.try_emplace(entity);
  Coordinates& list = known->second;
  try {
    if (isNew) list.points = readCoordinates(entity);
  } catch (const InputError& error) {
    list.problem = error.what();
  }
  if (!list.problem.empty())
    throw InputError("its coordinates #" + std::to_string(entity) + ": " + list.problem);
  return list.points;
}

std::vector<Vec3> TessellatedItems::readCoordinates(std::uint64_t entity) const {
  Part21Record record = this->record(entity);
  if (!record.has("COORDINATES_LIST")) throw InputError("it is not a COORDINATES_LIST");
  (void)record.of("REPRESENTATION_ITEM").readString();
  Part21Cursor& own = record.of("COORDINATES_LIST");
  const std::int64_t count = own.readInteger();
  std::vector<Vec3> points;
  own.readList([&] {
    points.push_back(readTriple(own, [&] { return "point " + std::to_string(points.size() + 1); }));
  });
  if (count != static_cast<std::int64_t>(points.size()))
    throw InputError("it has " + std::to_string(points.size()) + " points where it says " +
                     std::to_string(count));
  return points;
}

Vec3 TessellatedItems::triple(std::uint64_t entity, std::string_view type) const {
  const auto name = [&] { return "#" + std::to_string(entity); };
  Part21Record record = this->record(entity);
  if (!record.has(type)) throw InputError(name() + " is no " + std::string(type));
  (void)record.of("REPRESENTATION_ITEM").readString();
  return readTriple(record.of(type), name);
}

/// Computes build_axes of ISO 10303-42.
Transform TessellatedItems::placement(std::uint64_t entity) const {
  Part21Record record = this->record(entity);
  if (!record.has("AXIS2_PLACEMENT_3D"))
    throw InputError("it is placed by #" + std::to_string(entity) + ", which is not an AXIS2_PLACEMENT_3D");
  (void)record.of("REPRESENTATION_ITEM").readString();
  const auto location = record.of("PLACEMENT").readReference();
  if (!location) throw InputError("its placement has no location");
  Part21Cursor& own = record.of("AXIS2_PLACEMENT_3D");
  const auto axis = own.readReference();
  const auto reference = own.readReference();
  const auto unit = [&](const Vec3& v) {
    const double length = norm(v);
    if (!(length > 0) || !(length < 1e150)) throw InputError("an axis of its placement has no direction");
    return v * (1 / length);
  };
  const Vec3 z = axis ? unit(triple(*axis, "DIRECTION")) : Vec3{0, 0, 1};
  Vec3 x = acrossOf(reference ? unit(triple(*reference, "DIRECTION")) : Vec3{1, 0, 0}, z);
  if (!reference && norm(x) < 1e-9) x = acrossOf({0, 1, 0}, z);
  if (norm(x) < 1e-9) throw InputError("the axes of its placement are parallel");
  x = unit(x);
  const Vec3 y = cross(z, x);
  Transform result;
  result.m = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
  result.t = triple(*location, "CARTESIAN_POINT");
  return result;
}

double TessellatedItems::lengthOfUnit(std::uint64_t unit, int depth) const {
  if (depth > 8) throw InputError("its unit of length is defined in terms of itself");
  Part21Record record = this->record(unit);
  if (!record.has("LENGTH_UNIT")) return 0;
  if (record.has("SI_UNIT")) {
    Part21Cursor& own = record.of("SI_UNIT");
    const std::string_view prefix = own.readEnumeration();
    return own.readEnumeration() == "METRE" ? millimetresWithPrefix(prefix) : 0;
  }
  Part21Cursor& own = record.of("CONVERSION_BASED_UNIT");
  (void)own.readString();
  const auto factor = own.readReference();
  if (!factor) return 0;
  Part21Record measure = this->record(*factor);
  Part21Cursor& value = measure.of("MEASURE_WITH_UNIT");
  const double number = value.readReal();
  const auto of = value.readReference();
  return of ? number * lengthOfUnit(*of, depth + 1) : 0;
}

double TessellatedItems::millimetresIn(std::uint64_t context) const {
  Part21Record record = this->record(context);
  std::vector<std::uint64_t> units;
  Part21Cursor& own = record.of("GLOBAL_UNIT_ASSIGNED_CONTEXT");
  own.readList([&] {
    if (const auto unit = own.readReference()) units.push_back(*unit);
  });
  for (const std::uint64_t unit : units)
    if (const double length = lengthOfUnit(unit, 0); length > 0 && length < 1e30) return length;
  throw InputError("its context has no known unit of length");
}

}  // namespace fitup::importers
