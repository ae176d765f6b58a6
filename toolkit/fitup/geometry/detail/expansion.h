#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace fitup::detail {

/// An exact real number: a sum of doubles of increasing magnitude that do not overlap (Shewchuk, Adaptive
/// Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997, section 2). `Capacity`
/// bounds the number of terms. The operations below return the capacity that their operands can need.
template <std::size_t Capacity>
struct Expansion {
  std::array<double, Capacity> term;
  std::size_t size = 0;

  void append(double value) noexcept {
    if (value != 0) term[size++] = value;
  }
  /// Returns the sign of the number. It is that of the largest term, which exceeds the sum of all others.
  [[nodiscard]] int sign() const noexcept { return size == 0 ? 0 : term[size - 1] > 0 ? 1 : -1; }
  /// Returns the number rounded, with a relative error of at most 2^-51, because terms that do not overlap
  /// decrease geometrically.
  [[nodiscard]] double estimate() const noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += term[i];
    return sum;
  }
};

/// Computes sum + error = a + b exactly (theorem 7, Knuth).
inline double twoSum(double a, double b, double& error) noexcept {
  const double sum = a + b;
  const double bVirtual = sum - a;
  const double aVirtual = sum - bVirtual;
  error = (a - aVirtual) + (b - bVirtual);
  return sum;
}

/// Computes product + error = a * b exactly (theorem 18, Dekker and Veltkamp). It uses no fused operation, so
/// that the result is the same on every target. It does not overflow below 2^996.
inline double twoProduct(double a, double b, double& error) noexcept {
  constexpr double splitter = 0x1p27 + 1;
  const double product = a * b;
  const double ca = splitter * a, cb = splitter * b;
  const double aHigh = ca - (ca - a), bHigh = cb - (cb - b);
  const double aLow = a - aHigh, bLow = b - bHigh;
  error = aLow * bLow - (((product - aHigh * bHigh) - aLow * bHigh) - aHigh * bLow);
  return product;
}

/// Returns a - b exactly.
inline Expansion<2> difference(double a, double b) noexcept {
  Expansion<2> r;
  double error;
  const double sum = twoSum(a, -b, error);
  r.append(error);
  r.append(sum);
  return r;
}

/// Computes e += b in place by grow-expansion (theorem 10).
template <std::size_t N>
void grow(Expansion<N>& e, double b) noexcept {
  double carry = b;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < e.size; ++i) {
    double error;
    carry = twoSum(carry, e.term[i], error);
    if (error != 0) e.term[kept++] = error;
  }
  e.size = kept;
  e.append(carry);
}

template <std::size_t N, std::size_t M>
Expansion<N + M> sum(const Expansion<N>& a, const Expansion<M>& b, double signOfB = 1) noexcept {
  Expansion<N + M> r;
  for (std::size_t i = 0; i < a.size; ++i) r.term[i] = a.term[i];
  r.size = a.size;
  for (std::size_t i = 0; i < b.size; ++i) grow(r, signOfB * b.term[i]);
  return r;
}

/// Returns e * b exactly (theorem 19).
template <std::size_t N>
Expansion<2 * N> scaled(const Expansion<N>& e, double b) noexcept {
  Expansion<2 * N> r;
  if (e.size == 0 || b == 0) return r;
  double low;
  double high = twoProduct(e.term[0], b, low);
  r.append(low);
  for (std::size_t i = 1; i < e.size; ++i) {
    double productLow;
    const double product = twoProduct(e.term[i], b, productLow);
    double error;
    const double middle = twoSum(high, productLow, error);
    r.append(error);
    high = twoSum(product, middle, error);
    r.append(error);
  }
  r.append(high);
  return r;
}

template <std::size_t N>
Expansion<4 * N> product(const Expansion<N>& a, const Expansion<2>& b) noexcept {
  Expansion<4 * N> r;
  if (b.size == 0) return r;
  const Expansion<2 * N> first = scaled(a, b.term[0]);
  if (b.size == 1) {
    for (std::size_t i = 0; i < first.size; ++i) r.append(first.term[i]);
    return r;
  }
  return sum(first, scaled(a, b.term[1]));
}

}  // namespace fitup::detail
