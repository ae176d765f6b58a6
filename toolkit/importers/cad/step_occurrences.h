#pragma once

#include <STEPCAFControl_Reader.hxx>
#include <TDocStd_Document.hxx>

#include <set>
#include <string>

namespace fitup::importers {

/// Returns the entries of the labels that are occurrences of products in the file that `reader` has
/// transferred into `document`, or in one that it refers to. Open CASCADE also makes components of its own,
/// for a product whose shape is in several representations.
std::set<std::string> occurrencesIn(STEPCAFControl_Reader& reader, const Handle(TDocStd_Document) & document);

}  // namespace fitup::importers
