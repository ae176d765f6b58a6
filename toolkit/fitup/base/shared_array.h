#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// An immutable array that shares ownership of its storage: the vector from which it was made, or a mapped
/// file.
///
/// Copies are cheap and share the elements. Const access is thread-safe.
template <typename T>
class SharedArray {
 public:
  SharedArray() = default;
  ~SharedArray() = default;
  SharedArray(const SharedArray&) = default;
  SharedArray& operator=(const SharedArray&) = default;
  /// Leaves the source empty.
  SharedArray(SharedArray&& o) noexcept : view_(std::exchange(o.view_, {})), owner_(std::move(o.owner_)) {}
  SharedArray& operator=(SharedArray&& o) noexcept {
    view_ = std::exchange(o.view_, {});
    owner_ = std::move(o.owner_);
    return *this;
  }

  /// Takes ownership of the vector.
  explicit SharedArray(std::vector<T> values) {
    auto owned = std::make_shared<const std::vector<T>>(std::move(values));
    view_ = *owned;
    owner_ = std::move(owned);
  }

  /// Refers to `values`, which must stay valid as long as `owner` lives.
  SharedArray(std::span<const T> values, std::shared_ptr<const void> owner)
      : view_(values), owner_(std::move(owner)) {}

  [[nodiscard]] std::span<const T> span() const noexcept { return view_; }
  [[nodiscard]] const T* data() const noexcept { return view_.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return view_.size(); }
  [[nodiscard]] bool empty() const noexcept { return view_.empty(); }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return view_[i]; }
  [[nodiscard]] auto begin() const noexcept { return view_.begin(); }
  [[nodiscard]] auto end() const noexcept { return view_.end(); }

 private:
  std::span<const T> view_;
  std::shared_ptr<const void> owner_;
};

}  // namespace fitup
