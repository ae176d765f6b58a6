#include <viewer/gui/length_unit.h>

#include <string>

#include <fitup/io/read_assembly.h>
#include <viewer/core/named.h>
#include <viewer/core/session.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

std::string_view name(LengthUnitChoice choice) noexcept {
  switch (choice) {
    case LengthUnitChoice::model:
      return "model";
    case LengthUnitChoice::millimetre:
      return "mm";
    case LengthUnitChoice::centimetre:
      return "cm";
    case LengthUnitChoice::metre:
      return "m";
    case LengthUnitChoice::inch:
      return "in";
    case LengthUnitChoice::foot:
      return "ft";
  }
  return {};
}

std::optional<LengthUnitChoice> lengthUnitChoiceFromName(std::string_view text) noexcept {
  return named(allLengthUnitChoices, text);
}

DistanceError LengthUnit::shown(const DistanceError& model) const {
  DistanceError error = model;
  if (error.chordError) error.chordError = shown(*error.chordError);
  error.rounding = shown(error.rounding);
  return error;
}

LengthUnit modelUnitOf(const Session& session) { return {viewer::shown(session.assembly().unit())}; }

LengthUnit lengthUnitOf(const Session& session, LengthUnitChoice choice) {
  const std::string& ofModel = session.assembly().unit();
  const std::string chosen(name(choice));
  const auto model = millimetresPer(ofModel), wanted = millimetresPer(chosen);
  if (choice == LengthUnitChoice::model || !model || !wanted) return modelUnitOf(session);
  return {viewer::shown(chosen), *wanted / *model};
}

}  // namespace fitup::viewer
