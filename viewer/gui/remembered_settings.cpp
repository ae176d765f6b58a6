#include <viewer/gui/remembered_settings.h>

#include <cmath>

#include <QSettings>

#include <viewer/gui/main_window.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/theme.h>

namespace fitup::viewer {
namespace {

const char *const dragMode = "work/dragMode", *const slideFreedom = "work/slideFreedom",
                  *const snaps = "work/snaps", *const distanceStep = "work/distanceStep",
                  *const angleStep = "work/angleStep", *const distance = "work/distance",
                  *const mates = "work/mates", *const exactShapes = "work/exactShapes",
                  *const dim = "work/dim", *const navigation = "work/navigation",
                  *const projection = "work/projection", *const display = "work/display",
                  *const paintFaces = "work/paintFaces", *const themeKey = "look/theme",
                  *const language = "look/language", *const updateRate = "work/updateRate",
                  *const lengthUnit = "look/lengthUnit", *const background = "look/background",
                  *const tolerance = "work/tolerance";

QString textOf(std::string_view name) {
  return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

/// Returns the remembered value if it is in 0 ... most, otherwise the current one.
template <typename Enum>
Enum recalled(const QSettings& settings, const char* key, Enum present, Enum most) {
  bool isNumber = false;
  const int value = settings.value(key).toInt(&isNumber);
  return isNumber && value >= 0 && value <= static_cast<int>(most) ? static_cast<Enum>(value) : present;
}

}  // namespace

void rememberSettings(MainWindow& window) {
  QSettings settings;
  const DragController& drag = window.drag();
  const CheckSettings& check = window.document().check().settings();
  settings.setValue(dragMode, static_cast<int>(drag.mode()));
  settings.setValue(slideFreedom, static_cast<int>(drag.slideFreedom()));
  settings.setValue(snaps, drag.snaps());
  settings.setValue(distanceStep, drag.steps().distance);
  settings.setValue(angleStep, drag.steps().degrees);
  settings.setValue(distance, check.distance);
  settings.setValue(mates, check.mates);
  settings.setValue(exactShapes, check.exactShapes);
  settings.setValue(projection, static_cast<int>(window.view().camera().projection()));
  settings.setValue(display, static_cast<int>(window.view().presenter().displayMode()));
  settings.setValue(dim, window.view().dimsOthers());
  settings.setValue(paintFaces, window.view().paintsFaces());
  settings.setValue(navigation, textOf(name(window.view().navigation())));
  settings.setValue(themeKey, textOf(name(viewer::theme())));
  settings.setValue(updateRate, textOf(name(window.view().updateRate())));
  settings.setValue(language, textOf(name(chosenLanguage())));
  settings.setValue(lengthUnit, textOf(name(window.document().lengthUnitChoice())));
  const std::optional<QColor>& colour = window.view().background();
  settings.setValue(background, colour ? colour->name() : QString());
  settings.setValue(tolerance, window.document().defaultTolerance().value_or(0));
}

void recallSettings(MainWindow& window) {
  const QSettings settings;
  DragController& drag = window.drag();
  drag.setMode(recalled(settings, dragMode, drag.mode(), DragMode::slide));
  drag.setSlideFreedom(recalled(settings, slideFreedom, drag.slideFreedom(), SlideFreedom::shiftAndTurn));
  const GizmoSteps steps{settings.value(distanceStep).toDouble(), settings.value(angleStep).toDouble()};
  drag.setSteps(steps.isChoosable() ? steps : drag.steps(), settings.value(snaps, drag.snaps()).toBool());
  CheckSettings check = window.document().check().settings();
  check.distance = settings.value(distance, check.distance).toBool();
  check.mates = settings.value(mates, check.mates).toBool();
  check.exactShapes = settings.value(exactShapes, check.exactShapes).toBool();
  window.document().check().setSettings(check);
  if (const auto preset = navigationPresetFromName(settings.value(navigation).toString().toStdString()))
    window.view().setNavigation(*preset);
  window.view().setProjection(
      recalled(settings, projection, window.view().camera().projection(), Projection::perspective));
  window.view().setDisplayMode(
      recalled(settings, display, window.view().presenter().displayMode(), DisplayMode::transparent));
  window.view().setDimOthers(settings.value(dim, window.view().dimsOthers()).toBool());
  window.view().setPaintsFaces(settings.value(paintFaces, window.view().paintsFaces()).toBool());
  if (const auto chosen = themeFromName(settings.value(themeKey).toString().toStdString())) setTheme(*chosen);
  if (const auto rate = updateRateFromName(settings.value(updateRate).toString().toStdString()))
    window.view().setUpdateRate(*rate);
  chooseLanguage(recalledLanguage());
  if (const auto unit = lengthUnitChoiceFromName(settings.value(lengthUnit).toString().toStdString()))
    window.document().setLengthUnitChoice(*unit);
  if (const QColor colour(settings.value(background).toString()); colour.isValid())
    window.view().setBackground(colour);
  if (const double millimetres = settings.value(tolerance).toDouble();
      millimetres > 0 && std::isfinite(millimetres))
    window.document().setDefaultTolerance(millimetres);
}

Language recalledLanguage() {
  return languageFromName(QSettings().value(language).toString().toStdString()).value_or(Language::system);
}

}  // namespace fitup::viewer
