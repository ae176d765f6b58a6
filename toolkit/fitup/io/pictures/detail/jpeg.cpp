#include <fitup/io/pictures/detail/jpeg.h>

#include <turbojpeg.h>

#include <memory>

#include <fitup/base/error.h>

namespace fitup::detail {

std::string jpegOf(const Image& image, int quality) {
  const auto close = [](void* handle) { tjDestroy(handle); };
  const std::unique_ptr<void, decltype(close)> encoder(tjInitCompress(), close);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  const bool failed = !encoder || tjCompress2(encoder.get(), image.rgb.data(), image.width, 0, image.height,
                                              TJPF_RGB, &bytes, &size, TJSAMP_444, quality, 0) != 0;
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owner(bytes, tjFree);
  if (failed) throw Error("a picture of a report cannot be encoded");
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace fitup::detail
