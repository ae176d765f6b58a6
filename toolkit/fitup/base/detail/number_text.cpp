#include <fitup/base/detail/number_text.h>

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace fitup::detail {

std::string numberText(double value) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

std::optional<double> numberFromText(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
    return std::nullopt;
  return value;
}

}  // namespace fitup::detail
