#include <fitup/query/report.h>

#include <algorithm>
#include <numeric>

namespace fitup {

std::string_view name(ReportStatus status) noexcept {
  switch (status) {
    case ReportStatus::complete:
      return "complete";
    case ReportStatus::truncated:
      return "truncated";
    case ReportStatus::cancelled:
      return "cancelled";
  }
  return "unknown";
}

IntersectionReport IntersectionReport::swapped() const {
  IntersectionReport result;
  result.status = status;
  result.stats = stats;
  result.mode = mode;
  // Sorting both lists by the same permutation keeps each witness beside its pair of surfaces. If all
  // triangle pairs are listed, the two lists are independent.
  std::vector<std::size_t> order(surfacePairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto exchanged = [](const auto& p) { return std::remove_cvref_t<decltype(p)>{p.b, p.a}; };
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return exchanged(surfacePairs[i]) < exchanged(surfacePairs[j]);
  });
  for (std::size_t i : order) result.surfacePairs.push_back(exchanged(surfacePairs[i]));
  if (mode != QueryMode::allTrianglePairs) {
    for (std::size_t i : order) result.trianglePairs.push_back(exchanged(trianglePairs[i]));
  } else {
    for (const TrianglePair& p : trianglePairs) result.trianglePairs.push_back(exchanged(p));
    std::sort(result.trianglePairs.begin(), result.trianglePairs.end());
  }
  return result;
}

}  // namespace fitup
