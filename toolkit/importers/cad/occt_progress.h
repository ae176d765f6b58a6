#pragma once

#include <Message_ProgressIndicator.hxx>

#include <string>

#include "importer_main.h"

namespace fitup::importers {

/// Passes Open CASCADE's progress on as a phase of the import.
class OcctProgress : public Message_ProgressIndicator {
 public:
  OcctProgress(ProgressLines& lines, std::string phase) : lines_(lines), phase_(std::move(phase)) {}
  void Show(const Message_ProgressScope& scope, const Standard_Boolean force) override;

 private:
  ProgressLines& lines_;
  std::string phase_;
};

}  // namespace fitup::importers
