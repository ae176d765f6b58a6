#pragma once

#include <string>

#include <fitup/io/pictures/detail/picture.h>

namespace fitup::detail {

/// Encodes a JPEG file. Lines of one pixel stay coloured (no chroma subsampling). The bytes are the same at
/// each run. Throws Error if the encoder fails.
std::string jpegOf(const Image& image, int quality = 84);

}  // namespace fitup::detail
