// Eight lanes of floats or doubles on whatever vectors the target has. Included once for each target of
// Highway (hwy/foreach_target.h), so no include guard of the usual kind. Everything lies in FITUP_LANES, the
// namespace of the target.

#if defined(FITUP_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_LANES_INL
#undef FITUP_LANES_INL
#else
#define FITUP_LANES_INL
#endif

#include <array>
#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

namespace hn = hwy::HWY_NAMESPACE;

/// A mask of eight lanes as vectors know it.
struct Mask8;

struct Float8 {
  using D = hn::CappedTag<float, 8>;
  static constexpr std::size_t width = hn::MaxLanes(D());
  static constexpr std::size_t parts = 8 / width;
  hn::Vec<D> v[parts];

  HWY_INLINE static Float8 load(const float* from) {
    Float8 r;
    for (std::size_t i = 0; i < parts; ++i) r.v[i] = hn::LoadU(D(), from + i * width);
    return r;
  }
  HWY_INLINE static Float8 all(float value) {
    Float8 r;
    for (std::size_t i = 0; i < parts; ++i) r.v[i] = hn::Set(D(), value);
    return r;
  }
  HWY_INLINE void store(float* to) const {
    for (std::size_t i = 0; i < parts; ++i) hn::StoreU(v[i], D(), to + i * width);
  }
  /// The first `count` lanes, the first of all in the rest.
  HWY_INLINE static Float8 loadFirst(const float* from, std::size_t count) {
    Float8 r = load(from);
    if (count < 8)
      for (std::size_t i = 0; i < parts; ++i)
        r.v[i] =
            hn::IfThenElse(hn::FirstN(D(), count - HWY_MIN(count, i * width)), r.v[i], hn::Set(D(), *from));
    return r;
  }
};

struct Mask8 {
  hn::Mask<Float8::D> m[Float8::parts];
  /// Bit i of the eight as lane i.
  HWY_INLINE static Mask8 of(std::uint32_t bits) {
    Mask8 r;
    for (std::size_t i = 0; i < Float8::parts; ++i) {
      const std::uint8_t part[8] = {static_cast<std::uint8_t>(bits >> (i * Float8::width))};
      r.m[i] = hn::LoadMaskBits(Float8::D(), part);
    }
    return r;
  }
  /// Lane i at bit i.
  HWY_INLINE std::uint32_t bits() const {
    std::uint32_t r = 0;
    for (std::size_t i = 0; i < Float8::parts; ++i) {
      std::uint8_t part[8] = {};
      hn::StoreMaskBits(Float8::D(), m[i], part);
      r |= static_cast<std::uint32_t>(part[0]) << (i * Float8::width);
    }
    return r;
  }
};

/// Stores the lanes that `which` says (lane i at bit i) side by side. Up to eight floats are written.
HWY_INLINE void storeChosen(const Float8& a, std::uint32_t which, float* to) {
  constexpr std::uint32_t ofPart = (1U << Float8::width) - 1;
  for (std::size_t i = 0; i < Float8::parts; ++i) {
    std::uint8_t bits[8] = {static_cast<std::uint8_t>(which >> (i * Float8::width) & ofPart)};
    hn::StoreU(hn::Compress(a.v[i], hn::LoadMaskBits(Float8::D(), bits)), Float8::D(), to);
    to += hwy::PopCount(std::uint64_t{bits[0]});
  }
}

#define FITUP_LANEWISE(Result, name, expression)                \
  HWY_INLINE Result name(const Float8& a, const Float8& b) {    \
    Result r;                                                   \
    for (std::size_t i = 0; i < Float8::parts; ++i) expression; \
    return r;                                                   \
  }
FITUP_LANEWISE(Float8, operator+, r.v[i] = hn::Add(a.v[i], b.v[i]))
FITUP_LANEWISE(Float8, operator-, r.v[i] = hn::Sub(a.v[i], b.v[i]))
FITUP_LANEWISE(Float8, operator*, r.v[i] = hn::Mul(a.v[i], b.v[i]))
FITUP_LANEWISE(Float8, operator/, r.v[i] = hn::Div(a.v[i], b.v[i]))
FITUP_LANEWISE(Float8, smaller, r.v[i] = hn::Min(a.v[i], b.v[i]))
FITUP_LANEWISE(Float8, larger, r.v[i] = hn::Max(a.v[i], b.v[i]))
FITUP_LANEWISE(Mask8, operator<=, r.m[i] = hn::Le(a.v[i], b.v[i]))
FITUP_LANEWISE(Mask8, operator>, r.m[i] = hn::Gt(a.v[i], b.v[i]))
#undef FITUP_LANEWISE

HWY_INLINE Mask8 operator&(const Mask8& a, const Mask8& b) {
  Mask8 r;
  for (std::size_t i = 0; i < Float8::parts; ++i) r.m[i] = hn::And(a.m[i], b.m[i]);
  return r;
}
HWY_INLINE Mask8 operator|(const Mask8& a, const Mask8& b) {
  Mask8 r;
  for (std::size_t i = 0; i < Float8::parts; ++i) r.m[i] = hn::Or(a.m[i], b.m[i]);
  return r;
}
/// Lanes where the two agree.
HWY_INLINE Mask8 same(const Mask8& a, const Mask8& b) {
  Mask8 r;
  for (std::size_t i = 0; i < Float8::parts; ++i) r.m[i] = hn::Not(hn::Xor(a.m[i], b.m[i]));
  return r;
}
HWY_INLINE Float8 select(const Mask8& which, const Float8& yes, const Float8& no) {
  Float8 r;
  for (std::size_t i = 0; i < Float8::parts; ++i) r.v[i] = hn::IfThenElse(which.m[i], yes.v[i], no.v[i]);
  return r;
}
HWY_INLINE Float8 magnitude(const Float8& a) {
  Float8 r;
  for (std::size_t i = 0; i < Float8::parts; ++i) r.v[i] = hn::Abs(a.v[i]);
  return r;
}
HWY_INLINE Float8 operator-(const Float8& a) {
  Float8 r;
  for (std::size_t i = 0; i < Float8::parts; ++i) r.v[i] = hn::Neg(a.v[i]);
  return r;
}
HWY_INLINE Float8 root(const Float8& a) {
  Float8 r;
  for (std::size_t i = 0; i < Float8::parts; ++i) r.v[i] = hn::Sqrt(a.v[i]);
  return r;
}
HWY_INLINE float smallestLane(const Float8& a) {
  auto r = a.v[0];
  for (std::size_t i = 1; i < Float8::parts; ++i) r = hn::Min(r, a.v[i]);
  return hn::GetLane(hn::MinOfLanes(Float8::D(), r));
}
HWY_INLINE float largestLane(const Float8& a) {
  auto r = a.v[0];
  for (std::size_t i = 1; i < Float8::parts; ++i) r = hn::Max(r, a.v[i]);
  return hn::GetLane(hn::MaxOfLanes(Float8::D(), r));
}
HWY_INLINE float sumOfLanes(const Float8& a) {
  auto r = a.v[0];
  for (std::size_t i = 1; i < Float8::parts; ++i) r = hn::Add(r, a.v[i]);
  return hn::GetLane(hn::SumOfLanes(Float8::D(), r));
}
/// a * b + c, rounded once or twice: only where a bound covers both.
HWY_INLINE Float8 mulAdd(const Float8& a, const Float8& b, const Float8& c) {
  Float8 r;
  for (std::size_t i = 0; i < Float8::parts; ++i) r.v[i] = hn::MulAdd(a.v[i], b.v[i], c.v[i]);
  return r;
}
/// a * b - c, likewise.
HWY_INLINE Float8 mulSub(const Float8& a, const Float8& b, const Float8& c) {
  Float8 r;
  for (std::size_t i = 0; i < Float8::parts; ++i) r.v[i] = hn::MulSub(a.v[i], b.v[i], c.v[i]);
  return r;
}
/// Eight bytes as floats.
HWY_INLINE Float8 fromBytes(const std::uint8_t* from) {
  Float8 r;
  const hn::Rebind<std::uint8_t, Float8::D> bytes;
  const hn::Rebind<std::int32_t, Float8::D> ints;
  for (std::size_t i = 0; i < Float8::parts; ++i)
    r.v[i] = hn::ConvertTo(Float8::D(), hn::PromoteTo(ints, hn::LoadU(bytes, from + i * Float8::width)));
  return r;
}

struct Double8 {
  using D = hn::CappedTag<double, 8>;
  static constexpr std::size_t width = hn::MaxLanes(D());
  static constexpr std::size_t parts = 8 / width;
  hn::Vec<D> v[parts];

  HWY_INLINE static Double8 all(double value) {
    Double8 r;
    for (std::size_t i = 0; i < parts; ++i) r.v[i] = hn::Set(D(), value);
    return r;
  }
  /// Exact.
  HWY_INLINE static Double8 fromFloats(const float* from) {
    Double8 r;
    const hn::Rebind<float, D> floats;
    for (std::size_t i = 0; i < parts; ++i) r.v[i] = hn::PromoteTo(D(), hn::LoadU(floats, from + i * width));
    return r;
  }
  /// Rounded to nearest.
  HWY_INLINE Float8 toFloats() const { return joined<Float8>(*this); }

 private:
  /// One or two vectors of doubles make one of floats. A template of both types, so that only the branch of
  /// the target is checked.
  template <typename Floats, typename Doubles>
  HWY_INLINE static Floats joined(const Doubles& d) {
    Floats r;
    const typename Floats::D floats;
    const hn::Rebind<float, D> pieces;
    for (std::size_t i = 0; i < Floats::parts; ++i) {
      if constexpr (hn::MaxLanes(floats) == width) {
        r.v[i] = hn::DemoteTo(pieces, d.v[i]);
      } else {
#if HWY_TARGET != HWY_SCALAR  // its vectors are single lanes: there is nothing to combine
        r.v[i] = hn::Combine(floats, hn::DemoteTo(pieces, d.v[2 * i + 1]), hn::DemoteTo(pieces, d.v[2 * i]));
#endif
      }
    }
    return r;
  }
};

#define FITUP_LANEWISE(name, operation)                                                      \
  HWY_INLINE Double8 name(const Double8& a, const Double8& b) {                              \
    Double8 r;                                                                               \
    for (std::size_t i = 0; i < Double8::parts; ++i) r.v[i] = hn::operation(a.v[i], b.v[i]); \
    return r;                                                                                \
  }
FITUP_LANEWISE(operator+, Add)
FITUP_LANEWISE(operator-, Sub)
FITUP_LANEWISE(operator*, Mul)
#undef FITUP_LANEWISE

/// Three coordinates of eight points or vectors.
struct Vec8 {
  Float8 x, y, z;
};
HWY_INLINE Vec8 operator-(const Vec8& a, const Vec8& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HWY_INLINE Float8 dot(const Vec8& a, const Vec8& b) { return mulAdd(a.x, b.x, mulAdd(a.y, b.y, a.z * b.z)); }
HWY_INLINE Vec8 cross(const Vec8& a, const Vec8& b) {
  return {mulSub(a.y, b.z, a.z * b.y), mulSub(a.z, b.x, a.x * b.z), mulSub(a.x, b.y, a.y * b.x)};
}
HWY_INLINE Vec8 select(const Mask8& which, const Vec8& yes, const Vec8& no) {
  return {select(which, yes.x, no.x), select(which, yes.y, no.y), select(which, yes.z, no.z)};
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
