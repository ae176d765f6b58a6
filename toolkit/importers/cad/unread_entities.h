#pragma once

#include <Interface_InterfaceModel.hxx>

#include <vector>

#include <fitup/io/model_file.h>

namespace fitup::importers {

/// Warns of the entities that the library could not read as their schema says; it goes on without them and
/// says nothing by itself.
void warnOfUnreadEntities(const Handle(Interface_InterfaceModel) & data,
                          std::vector<ImportWarning>& warnings);

}  // namespace fitup::importers
