#pragma once

#include <Message_ProgressIndicator.hxx>

#include <functional>
#include <utility>

namespace fitup::importers {

/// Passes on the progress of Open CASCADE, which reports it some hundred thousand times, from any thread.
class OcctProgress : public Message_ProgressIndicator {
 public:
  /// `moved` receives the fraction that is done.
  explicit OcctProgress(std::function<void(double)> moved) : moved_(std::move(moved)) {}
  void Show(const Message_ProgressScope& scope, const Standard_Boolean force) override;

 private:
  std::function<void(double)> moved_;
};

}  // namespace fitup::importers
