#pragma once

#include <Interface_InterfaceModel.hxx>

#include <vector>

#include <fitup/io/model_file.h>

namespace fitup::importers {

/// Warns about the entities that the library could not read by their schema; the library silently continues
/// without them.
void warnOfUnreadEntities(const Handle(Interface_InterfaceModel) & data,
                          std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
