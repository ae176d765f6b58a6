#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/geometry/transform.h>
#include <fitup/mesh/triangle_mesh.h>

#include "part21_cursor.h"
#include "part21_entities.h"

namespace fitup::importers {

/// Whether instances of a type consist of triangles: TRIANGULATED_FACE, COMPLEX_TRIANGULATED_FACE and the
/// surface sets of the same names.
bool isTriangulated(std::string_view type);

/// An instance of one of those types.
struct TriangulatedItem {
  std::string name;
  std::uint64_t coordinates = 0;           ///< the list that `triangles` refer to, counted from 0
  std::vector<TriangleIndices> triangles;  ///< counter-clockwise seen from outside, as in the file
};

/// Reads the tessellated geometry of ISO 10303-42 (clause 4, tessellated items) from the text of a STEP file.
/// The functions throw InputError that says what is wrong with an instance, without its number.
class TessellatedItems {
 public:
  /// Both arguments must outlive the object.
  TessellatedItems(std::string_view text, const Part21Entities& entities)
      : text_(text), entities_(entities) {}

  [[nodiscard]] Part21Record record(std::uint64_t entity) const;
  /// Returns strips and fans as triangles, without those that have a corner twice: these only lead from one
  /// stretch of a strip to the next. Indices go through `pnindex` if it is given. Every index is that of a
  /// point.
  [[nodiscard]] TriangulatedItem triangulated(std::uint64_t entity);
  /// Returns the points of a COORDINATES_LIST, in the file's unit. They are kept, so that each list is read
  /// once.
  const std::vector<Vec3>& coordinates(std::uint64_t entity);
  /// Returns the placement of an AXIS2_PLACEMENT_3D, in the file's unit.
  [[nodiscard]] Transform placement(std::uint64_t entity) const;
  /// Returns the number of millimetres in the unit of length of a representation's context. Throws InputError
  /// if there is no such unit.
  [[nodiscard]] double millimetresIn(std::uint64_t context) const;

 private:
  [[nodiscard]] std::vector<Vec3> readCoordinates(std::uint64_t entity) const;
  [[nodiscard]] Vec3 triple(std::uint64_t entity, std::string_view type) const;
  /// Returns 0 for a unit of another quantity.
  [[nodiscard]] double lengthOfUnit(std::uint64_t unit, int depth) const;

  std::string_view text_;
  const Part21Entities& entities_;
  struct Coordinates {
    std::vector<Vec3> points;
    std::string problem;  ///< empty if the list could be read
  };
  std::map<std::uint64_t, Coordinates> coordinates_;
};

}  // namespace fitup::importers
