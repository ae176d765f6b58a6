// Compiled by build_times.py as the measure of a machine: the times of a build are given as multiples of
// the time that this file takes. A change here makes all kept figures wrong.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

template <int n>
struct Step {
  std::map<std::string, std::vector<std::function<double(double)>>> byName;
  std::unordered_map<std::string, std::set<std::shared_ptr<Step<n - 1>>>> next;

  double apply(const std::string& text) {
    double sum = 0;
    for (auto& [name, functions] : byName) {
      std::sort(functions.begin(), functions.end(),
                [&](const auto& a, const auto& b) { return a(n) < b(n); });
      sum = std::accumulate(functions.begin(), functions.end(), sum,
                            [](double x, const auto& f) { return f(x); });
    }
    if (std::regex_search(text, std::regex("[a-z]+" + std::to_string(n))))
      for (const auto& step : next[text]) sum += step->apply(text + std::to_string(n));
    return sum;
  }
};
template <>
struct Step<0> {
  double apply(const std::string& text) {
    std::istringstream in(text);
    std::vector<double> numbers;
    for (double x = 0; in >> x;) numbers.push_back(x);
    std::stable_sort(numbers.begin(), numbers.end());
    return numbers.empty() ? 0 : numbers.back();
  }
};

}  // namespace

double referenceUnit(const std::string& text) {
  Step<8> step;
  return step.apply(text);
}
