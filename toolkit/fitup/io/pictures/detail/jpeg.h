#pragma once

#include <string>

#include <fitup/io/pictures/detail/picture.h>

namespace fitup::detail {

/// The bytes of a JPEG file; lines of one pixel stay coloured (no chroma subsampling). Throws Error if the
/// encoder fails. The same bytes at each run.
std::string jpegOf(const Image& image, int quality = 84);

}  // namespace fitup::detail
