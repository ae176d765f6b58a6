#include <fitup/fitup.h>

fitup::InterferenceReport check(const fitup::Model& model) {
  return fitup::checkAllPairs(fitup::sceneOf(model));
}
