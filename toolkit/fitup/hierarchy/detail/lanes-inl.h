// Eight or more lanes of floats or doubles, on the vectors of the target. Included once for each target of
// Highway (hwy/foreach_target.h), so there is no include guard of the usual kind. Everything is in
// FITUP_LANES, the namespace of the target.

#if defined(FITUP_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_LANES_INL
#undef FITUP_LANES_INL
#else
#define FITUP_LANES_INL
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

// Targets on which one vector holds sixteen floats, masks are registers of their own with bit i for lane i,
// and one instruction spreads bits.
#undef FITUP_AVX512
#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX3
#define FITUP_AVX512 1
#else
#define FITUP_AVX512 0
#endif
// Targets on which one vector holds eight floats, or two halves of eight 16-bit integers.
#undef FITUP_AVX2
#if HWY_TARGET == HWY_AVX2
#define FITUP_AVX2 1
#else
#define FITUP_AVX2 0
#endif

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

namespace hn = hwy::HWY_NAMESPACE;

/// N floats, in one vector or several.
template <std::size_t N>
struct Floats {
  using D = hn::CappedTag<float, N>;
  static constexpr std::size_t width = hn::MaxLanes(D());
  static constexpr std::size_t parts = N / width;
  hn::Vec<D> v[parts];

  HWY_INLINE static Floats load(const float* from) {
    Floats r;
    for (std::size_t i = 0; i < parts; ++i) r.v[i] = hn::LoadU(D(), from + i * width);
    return r;
  }
  HWY_INLINE static Floats all(float value) {
    Floats r;
    for (std::size_t i = 0; i < parts; ++i) r.v[i] = hn::Set(D(), value);
    return r;
  }
  HWY_INLINE void store(float* to) const {
    for (std::size_t i = 0; i < parts; ++i) hn::StoreU(v[i], D(), to + i * width);
  }
  /// The first half of the lanes.
  HWY_INLINE Floats<N / 2> lowerHalf() const { return lower<Floats<N / 2>>(*this); }
  /// Loads the first `count` lanes and fills the rest with the first one.
  HWY_INLINE static Floats loadFirst(const float* from, std::size_t count) {
    Floats r = load(from);
    if (count < N)
      for (std::size_t i = 0; i < parts; ++i)
        r.v[i] =
            hn::IfThenElse(hn::FirstN(D(), count - HWY_MIN(count, i * width)), r.v[i], hn::Set(D(), *from));
    return r;
  }

 private:
  // A template of both types, so that only the branch of the target is checked.
  template <typename To, typename From>
  HWY_INLINE static To lower(const From& a) {
    To r;
    if constexpr (To::width == From::width)
      for (std::size_t i = 0; i < To::parts; ++i) r.v[i] = a.v[i];
    else
      r.v[0] = hn::LowerHalf(a.v[0]);
    return r;
  }
};

/// A mask of N lanes in the form of the vectors.
template <std::size_t N>
struct Masks {
  using F = Floats<N>;
  hn::Mask<typename F::D> m[F::parts];
  /// Makes lane i of bit i.
  HWY_INLINE static Masks of(std::uint32_t bits) {
    Masks r;
    for (std::size_t i = 0; i < F::parts; ++i) {
      const std::uint32_t ofPart = bits >> (i * F::width);
      const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(ofPart),
                                     static_cast<std::uint8_t>(ofPart >> 8)};
      r.m[i] = hn::LoadMaskBits(typename F::D(), bytes);
    }
    return r;
  }
  /// Makes bit i of lane i.
  HWY_INLINE std::uint32_t bits() const {
    std::uint32_t r = 0;
    for (std::size_t i = 0; i < F::parts; ++i) {
#if FITUP_AVX512  // GCC splits a mask into bytes and joins them again
      r |= static_cast<std::uint32_t>(m[i].raw) << (i * F::width);
#else
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(typename F::D(), m[i], bytes);
      r |= (std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8) << (i * F::width);
#endif
    }
    return r;
  }
};

using Float8 = Floats<8>;
using Mask8 = Masks<8>;

#define FITUP_LANEWISE(Result, name, expression)                      \
  template <std::size_t N>                                            \
  HWY_INLINE Result<N> name(const Floats<N>& a, const Floats<N>& b) { \
    Result<N> r;                                                      \
    for (std::size_t i = 0; i < Floats<N>::parts; ++i) expression;    \
    return r;                                                         \
  }
FITUP_LANEWISE(Floats, operator+, r.v[i] = hn::Add(a.v[i], b.v[i]))
FITUP_LANEWISE(Floats, operator-, r.v[i] = hn::Sub(a.v[i], b.v[i]))
FITUP_LANEWISE(Floats, operator*, r.v[i] = hn::Mul(a.v[i], b.v[i]))
FITUP_LANEWISE(Floats, operator/, r.v[i] = hn::Div(a.v[i], b.v[i]))
FITUP_LANEWISE(Floats, smaller, r.v[i] = hn::Min(a.v[i], b.v[i]))
FITUP_LANEWISE(Floats, larger, r.v[i] = hn::Max(a.v[i], b.v[i]))
FITUP_LANEWISE(Masks, operator<=, r.m[i] = hn::Le(a.v[i], b.v[i]))
FITUP_LANEWISE(Masks, operator>, r.m[i] = hn::Gt(a.v[i], b.v[i]))
// In these functions only the signs of lanes count, including that of a zero.
/// The sign of a product, which neither underflows nor overflows here.
FITUP_LANEWISE(Floats, signOfProduct, r.v[i] = hn::Xor(a.v[i], b.v[i]))
FITUP_LANEWISE(Floats, negativeInEither, r.v[i] = hn::Or(a.v[i], b.v[i]))
FITUP_LANEWISE(Floats, negativeInBoth, r.v[i] = hn::And(a.v[i], b.v[i]))
#undef FITUP_LANEWISE

#define FITUP_LANEWISE(name, expression)                           \
  template <std::size_t N>                                         \
  HWY_INLINE Masks<N> name(const Masks<N>& a, const Masks<N>& b) { \
    Masks<N> r;                                                    \
    for (std::size_t i = 0; i < Floats<N>::parts; ++i) expression; \
    return r;                                                      \
  }
FITUP_LANEWISE(operator|, r.m[i] = hn::Or(a.m[i], b.m[i]))
#undef FITUP_LANEWISE

template <std::size_t N>
HWY_INLINE Floats<N> select(const Masks<N>& which, const Floats<N>& yes, const Floats<N>& no) {
  Floats<N> r;
  for (std::size_t i = 0; i < Floats<N>::parts; ++i) r.v[i] = hn::IfThenElse(which.m[i], yes.v[i], no.v[i]);
  return r;
}

#define FITUP_LANEWISE(name, operation)                                                \
  template <std::size_t N>                                                             \
  HWY_INLINE Floats<N> name(const Floats<N>& a) {                                      \
    Floats<N> r;                                                                       \
    for (std::size_t i = 0; i < Floats<N>::parts; ++i) r.v[i] = hn::operation(a.v[i]); \
    return r;                                                                          \
  }
FITUP_LANEWISE(magnitude, Abs)
FITUP_LANEWISE(operator-, Neg)
FITUP_LANEWISE(root, Sqrt)
#undef FITUP_LANEWISE

/// The smaller, or larger, of two magnitudes.
#if FITUP_AVX512
#define FITUP_LANEWISE(name, code)                                    \
  template <std::size_t N>                                            \
  HWY_INLINE Floats<N> name(const Floats<N>& a, const Floats<N>& b) { \
    Floats<N> r;                                                      \
    if constexpr (N == 16)                                            \
      r.v[0].raw = _mm512_range_ps(a.v[0].raw, b.v[0].raw, code);     \
    else if constexpr (N == 8)                                        \
      r.v[0].raw = _mm256_range_ps(a.v[0].raw, b.v[0].raw, code);     \
    else                                                              \
      r.v[0].raw = _mm_range_ps(a.v[0].raw, b.v[0].raw, code);        \
    return r;                                                         \
  }
FITUP_LANEWISE(smallerMagnitude, 0b1010)
FITUP_LANEWISE(largerMagnitude, 0b1011)
#undef FITUP_LANEWISE
#else
template <std::size_t N>
HWY_INLINE Floats<N> smallerMagnitude(const Floats<N>& a, const Floats<N>& b) {
  return smaller(magnitude(a), magnitude(b));
}
template <std::size_t N>
HWY_INLINE Floats<N> largerMagnitude(const Floats<N>& a, const Floats<N>& b) {
  return larger(magnitude(a), magnitude(b));
}
#endif

#define FITUP_REDUCTION(name, operation, ofLanes)                                    \
  template <std::size_t N>                                                           \
  HWY_INLINE float name(const Floats<N>& a) {                                        \
    auto r = a.v[0];                                                                 \
    for (std::size_t i = 1; i < Floats<N>::parts; ++i) r = hn::operation(r, a.v[i]); \
    return hn::GetLane(hn::ofLanes(typename Floats<N>::D(), r));                     \
  }
FITUP_REDUCTION(smallestLane, Min, MinOfLanes)
FITUP_REDUCTION(largestLane, Max, MaxOfLanes)
FITUP_REDUCTION(sumOfLanes, Add, SumOfLanes)
#undef FITUP_REDUCTION

// More functions for lanes of which only the signs count.

template <std::size_t N>
HWY_INLINE Floats<N> signOfProduct(const Floats<N>& a, const Floats<N>& b, const Floats<N>& c) {
  Floats<N> r;
  for (std::size_t i = 0; i < Floats<N>::parts; ++i) r.v[i] = hn::Xor3(a.v[i], b.v[i], c.v[i]);
  return r;
}
template <std::size_t N>
HWY_INLINE Floats<N> selectBySign(const Floats<N>& which, const Floats<N>& negative,
                                  const Floats<N>& positive) {
  // Compared as integers, because emulated vectors treat a zero float as positive whatever its sign.
  const hn::RebindToSigned<typename Floats<N>::D> ints;
  const auto cast = [&](const auto& v) HWY_ATTR __attribute__((always_inline)) {
    return hn::BitCast(ints, v);
  };
  Floats<N> r;
  for (std::size_t i = 0; i < Floats<N>::parts; ++i)
    r.v[i] = hn::BitCast(typename Floats<N>::D(),
                         hn::IfNegativeThenElse(cast(which.v[i]), cast(negative.v[i]), cast(positive.v[i])));
  return r;
}
template <std::size_t N>
HWY_INLINE std::uint32_t negativeBits(const Floats<N>& a) {
  Masks<N> r;
  const hn::RebindToSigned<typename Floats<N>::D> ints;
  for (std::size_t i = 0; i < Floats<N>::parts; ++i)
    r.m[i] = hn::RebindMask(typename Floats<N>::D(), hn::Lt(hn::BitCast(ints, a.v[i]), hn::Zero(ints)));
  return r.bits();
}

#define FITUP_LANEWISE(name, operation)                                                                \
  template <std::size_t N>                                                                             \
  HWY_INLINE Floats<N> name(const Floats<N>& a, const Floats<N>& b, const Floats<N>& c) {              \
    Floats<N> r;                                                                                       \
    for (std::size_t i = 0; i < Floats<N>::parts; ++i) r.v[i] = hn::operation(a.v[i], b.v[i], c.v[i]); \
    return r;                                                                                          \
  }
/// a * b + c, rounded once or twice; used only where a bound covers both.
FITUP_LANEWISE(mulAdd, MulAdd)
/// a * b - c, in the same way.
FITUP_LANEWISE(mulSub, MulSub)
#undef FITUP_LANEWISE

/// Cuts lanes to three bits of their mantissas and stores their positions in the lowest six bits. Positions
/// count from `first` and are stored as 63 minus the position, so that of equal negative lanes the first is
/// smallest. `placeIn` reads the position of a lane.
template <std::size_t N>
HWY_INLINE Floats<N> withPlaces(const Floats<N>& a, std::size_t first) {
  using D = typename Floats<N>::D;
  const hn::RebindToSigned<D> ints;
  const auto cut = hn::Set(ints, -0x100000);
  Floats<N> r;
  for (std::size_t i = 0; i < Floats<N>::parts; ++i) {
    const auto last = hn::Set(ints, static_cast<std::int32_t>(63 - first - i * Floats<N>::width));
    r.v[i] =
        hn::BitCast(D(), hn::Or(hn::And(hn::BitCast(ints, a.v[i]), cut), hn::Sub(last, hn::Iota(ints, 0))));
  }
  return r;
}
inline std::uint32_t placeIn(float lane) { return 63 - (std::bit_cast<std::uint32_t>(lane) & 63U); }

/// Converts eight bytes to floats.
HWY_INLINE Float8 fromBytes(const std::uint8_t* from) {
  Float8 r;
  const hn::Rebind<std::uint8_t, Float8::D> bytes;
  const hn::Rebind<std::int32_t, Float8::D> ints;
  for (std::size_t i = 0; i < Float8::parts; ++i)
    r.v[i] = hn::ConvertTo(Float8::D(), hn::PromoteTo(ints, hn::LoadU(bytes, from + i * Float8::width)));
  return r;
}

template <std::size_t N>
struct Doubles {
  using D = hn::CappedTag<double, N>;
  static constexpr std::size_t width = hn::MaxLanes(D());
  static constexpr std::size_t parts = N / width;
  hn::Vec<D> v[parts];

  HWY_INLINE static Doubles all(double value) {
    Doubles r;
    for (std::size_t i = 0; i < parts; ++i) r.v[i] = hn::Set(D(), value);
    return r;
  }
  /// Converts exactly.
  HWY_INLINE static Doubles fromFloats(const float* from) {
    Doubles r;
    const hn::Rebind<float, D> floats;
    for (std::size_t i = 0; i < parts; ++i) r.v[i] = hn::PromoteTo(D(), hn::LoadU(floats, from + i * width));
    return r;
  }
  /// Rounds to nearest.
  HWY_INLINE Floats<N> toFloats() const { return joined<Floats<N>>(*this); }

 private:
  /// Joins one or two vectors of doubles to one of floats. A template of both types, so that only the branch
  /// of the target is checked.
  template <typename F, typename From>
  HWY_INLINE static F joined(const From& d) {
    F r;
    const typename F::D floats;
    const hn::Rebind<float, D> pieces;
    for (std::size_t i = 0; i < F::parts; ++i) {
      if constexpr (hn::MaxLanes(floats) == width) {
        r.v[i] = hn::DemoteTo(pieces, d.v[i]);
      } else {
#if HWY_TARGET != HWY_SCALAR  // whose vectors are single lanes
        r.v[i] = hn::Combine(floats, hn::DemoteTo(pieces, d.v[2 * i + 1]), hn::DemoteTo(pieces, d.v[2 * i]));
#endif
      }
    }
    return r;
  }
};
using Double8 = Doubles<8>;

/// a * b + c, rounded once or twice; used only where a bound covers both.
template <std::size_t N>
HWY_INLINE Doubles<N> mulAdd(const Doubles<N>& a, const Doubles<N>& b, const Doubles<N>& c) {
  Doubles<N> r;
  for (std::size_t i = 0; i < Doubles<N>::parts; ++i) r.v[i] = hn::MulAdd(a.v[i], b.v[i], c.v[i]);
  return r;
}

#define FITUP_LANEWISE(name, operation)                                                         \
  template <std::size_t N>                                                                      \
  HWY_INLINE Doubles<N> name(const Doubles<N>& a, const Doubles<N>& b) {                        \
    Doubles<N> r;                                                                               \
    for (std::size_t i = 0; i < Doubles<N>::parts; ++i) r.v[i] = hn::operation(a.v[i], b.v[i]); \
    return r;                                                                                   \
  }
FITUP_LANEWISE(operator+, Add)
FITUP_LANEWISE(operator-, Sub)
FITUP_LANEWISE(operator*, Mul)
FITUP_LANEWISE(larger, Max)
#undef FITUP_LANEWISE
#define FITUP_LANEWISE(name, operation)                                                 \
  template <std::size_t N>                                                              \
  HWY_INLINE Doubles<N> name(const Doubles<N>& a) {                                     \
    Doubles<N> r;                                                                       \
    for (std::size_t i = 0; i < Doubles<N>::parts; ++i) r.v[i] = hn::operation(a.v[i]); \
    return r;                                                                           \
  }
FITUP_LANEWISE(magnitude, Abs)
FITUP_LANEWISE(root, Sqrt)
#undef FITUP_LANEWISE

/// The three coordinates of N points or vectors.
template <std::size_t N>
struct Vecs {
  Floats<N> x, y, z;
};
using Vec8 = Vecs<8>;

template <std::size_t N>
HWY_INLINE Vecs<N> operator+(const Vecs<N>& a, const Vecs<N>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <std::size_t N>
HWY_INLINE Vecs<N> operator-(const Vecs<N>& a, const Vecs<N>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <std::size_t N>
HWY_INLINE Floats<N> dot(const Vecs<N>& a, const Vecs<N>& b) {
  return mulAdd(a.x, b.x, mulAdd(a.y, b.y, a.z * b.z));
}
template <std::size_t N>
HWY_INLINE Vecs<N> cross(const Vecs<N>& a, const Vecs<N>& b) {
  return {mulSub(a.y, b.z, a.z * b.y), mulSub(a.z, b.x, a.x * b.z), mulSub(a.x, b.y, a.y * b.x)};
}
template <std::size_t N>
HWY_INLINE Vecs<N> select(const Masks<N>& which, const Vecs<N>& yes, const Vecs<N>& no) {
  return {select(which, yes.x, no.x), select(which, yes.y, no.y), select(which, yes.z, no.z)};
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
