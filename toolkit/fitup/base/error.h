#pragma once

#include <stdexcept>
#include <string>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Base of every exception that the toolkit throws on purpose. Broken invariants assert instead.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bad input. `what()` names the file (where there is one) and the element.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(message) {}
  /// "source: element: problem"; empty pieces are left out.
  InputError(const std::string& source, const std::string& element, const std::string& problem);
};

/// A number outside the range in which the exact predicates are exact (see geometry/limits.h), or not finite.
class RangeError : public Error {
 public:
  using Error::Error;
};

/// A placement that cannot be answered: singular or not finite.
class PlacementError : public Error {
 public:
  using Error::Error;
};

/// The request needs something that was not built, such as a kind of hierarchy.
class NotBuiltError : public Error {
 public:
  using Error::Error;
};

/// A hierarchy of a kind that cannot be refitted; `what()` names the kind and the part.
class NotRefittableError : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be opened, read, written or renamed; `what()` names it and the system's reason.
class FileError : public Error {
 public:
  using Error::Error;
};

/// Work without a status of its own, such as building a hierarchy, was cancelled through its `Progress`;
/// `what()` is "cancelled".
class CancelledError : public Error {
 public:
  CancelledError() : Error("cancelled") {}
};

/// An importer process failed: refused the file, crashed, ran out of memory or made no progress.
class ImportError : public Error {
 public:
  using Error::Error;
};

}  // namespace fitup
