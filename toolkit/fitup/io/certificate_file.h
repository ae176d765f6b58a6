#pragma once

#include <filesystem>
#include <string>

#include <fitup/motion/certify.h>

namespace FITUP_EXPORT fitup {

/// Writes what `certify` found (docs/reference/certificate.md), atomically: the certificate, and the
/// violation that ended it. `program` and `model` name the program and the file that it is of. Throws
/// FileError, and InputError for an extension other than .json and for names that are not UTF-8.
void writeCertificate(const std::filesystem::path& file, const std::string& program, const std::string& model,
                      const Assembly& assembly, const CertifyReport& report);

/// Reads a certificate for a model. What it claims is not checked: see `verifyCertificate`. Throws FileError,
/// or InputError that names the file and the field, also for paths that the model does not have.
Certificate readCertificate(const std::filesystem::path& file, const Assembly& assembly);

}  // namespace fitup
