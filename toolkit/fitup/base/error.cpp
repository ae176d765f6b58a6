#include <fitup/base/error.h>

namespace fitup {
namespace {

std::string joined(const std::string& source, const std::string& element, const std::string& problem) {
  std::string text = source;
  if (!element.empty()) text += (text.empty() ? "" : ": ") + element;
  if (!problem.empty()) text += (text.empty() ? "" : ": ") + problem;
  return text;
}

}  // namespace

InputError::InputError(const std::string& source, const std::string& element, const std::string& problem)
    : Error(joined(source, element, problem)) {}

}  // namespace fitup
