#pragma once

#include <fitup/io/model_file.h>

namespace fitup::test {

/// Makes a small model that uses every field: nested nodes with a mirrored placement and colours, two parts
/// of which one mesh is used twice, a surface without triangles, descriptions, warnings, referenced files;
/// with collision models.
Model sampleModel();

/// Whether both models are equal bit by bit.
bool sameModel(const Model& a, const Model& b);

}  // namespace fitup::test
