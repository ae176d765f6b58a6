#pragma once

#include <array>
#include <optional>
#include <string_view>

#include <QString>

#include <fitup/geometry/vec3.h>
#include <fitup/query/distance_error.h>

namespace fitup::viewer {

class Session;

/// The user's choice of the unit in which the window shows and takes lengths. `model`: that of the model.
enum class LengthUnitChoice { model, millimetre, centimetre, metre, inch, foot };
inline constexpr std::array allLengthUnitChoices{LengthUnitChoice::model,      LengthUnitChoice::millimetre,
                                                 LengthUnitChoice::centimetre, LengthUnitChoice::metre,
                                                 LengthUnitChoice::inch,       LengthUnitChoice::foot};
/// "model", "mm", "cm", "m", "in", "ft", and back.
std::string_view name(LengthUnitChoice choice) noexcept;
std::optional<LengthUnitChoice> lengthUnitChoiceFromName(std::string_view text) noexcept;

/// Converts lengths of a model to those that the window shows, and numbers that users type back. A bound is
/// converted like its length, so that the digits shown follow from it in any unit.
struct LengthUnit {
  QString name;              ///< as it is shown: "mm"
  double modelPerShown = 1;  ///< the length of this unit in the model's unit

  [[nodiscard]] double shown(double model) const noexcept { return model / modelPerShown; }
  [[nodiscard]] Vec3 shown(const Vec3& model) const noexcept {
    return {shown(model.x), shown(model.y), shown(model.z)};
  }
  [[nodiscard]] DistanceError shown(const DistanceError& model) const;
  [[nodiscard]] double shownArea(double model) const noexcept { return shown(shown(model)); }
  [[nodiscard]] double shownVolume(double model) const noexcept { return shown(shownArea(model)); }
  [[nodiscard]] double model(double shown) const noexcept { return shown * modelPerShown; }
  [[nodiscard]] Vec3 model(const Vec3& shown) const noexcept {
    return {model(shown.x), model(shown.y), model(shown.z)};
  }
};

/// The unit of the model.
LengthUnit modelUnitOf(const Session& session);
/// The chosen unit; that of the model if its length is not known.
LengthUnit lengthUnitOf(const Session& session, LengthUnitChoice choice);

}  // namespace fitup::viewer
