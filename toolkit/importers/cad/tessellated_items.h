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

/// Whether instances of a type are made of triangles: TRIANGULATED_FACE, COMPLEX_TRIANGULATED_FACE and the
/// surface sets of the same names.
bool isTriangulated(std::string_view type);

/// One instance of those types.
struct TriangulatedItem {
  std::string name;
  std::uint64_t coordinates = 0;           ///< the list that `triangles` count in, from 0 on
  std::vector<TriangleIndices> triangles;  ///< counter-clockwise seen from outside, as the file has them
};

/// Reads the tessellated geometry of ISO 10303-42 (clause 4, tessellated items) out of the text of a STEP
/// file. The functions throw InputError that says what is wrong with an instance, without its number.
class TessellatedItems {
 public:
  /// Both must outlive this.
  TessellatedItems(std::string_view text, const Part21Entities& entities)
      : text_(text), entities_(entities) {}

  [[nodiscard]] Part21Record record(std::uint64_t entity) const;
  /// Strips and fans as triangles, but for those that have a corner twice: these only lead from one
  /// stretch of a strip to the next. Indices lead through `pnindex` where it is given. Every index is that
  /// of a point.
  [[nodiscard]] TriangulatedItem triangulated(std::uint64_t entity);
  /// Of a COORDINATES_LIST, in the file's unit. Kept, so that each list is read once.
  const std::vector<Vec3>& coordinates(std::uint64_t entity);
  /// What an AXIS2_PLACEMENT_3D places, in the file's unit.
  [[nodiscard]] Transform placement(std::uint64_t entity) const;
  /// Millimetres in the unit of length of a representation's context. Throws InputError where it has none.
  [[nodiscard]] double millimetresIn(std::uint64_t context) const;

 private:
  [[nodiscard]] std::vector<Vec3> readCoordinates(std::uint64_t entity) const;
  [[nodiscard]] Vec3 triple(std::uint64_t entity, std::string_view type) const;
  /// 0 for a unit of something else.
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
