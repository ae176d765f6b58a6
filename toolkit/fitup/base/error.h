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

/// Bad input. `what()` names the file, if there is one, and the element.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(message) {}
  /// Makes the message "source: element: problem" and leaves out empty pieces.
  InputError(const std::string& source, const std::string& element, const std::string& problem);
};

/// A number outside the range in which the exact predicates are exact (see geometry/limits.h), or not finite.
class RangeError : public Error {
 public:
  using Error::Error;
};

/// A placement that no query accepts: it is singular or not finite.
class PlacementError : public Error {
 public:
  using Error::Error;
};

/// The request needs something that was not built, such as a kind of hierarchy.
class NotBuiltError : public Error {
 public:
  using Error::Error;
};

/// A refit of a kind of hierarchy that cannot be refitted. `what()` names the kind and the part.
class NotRefittableError : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be opened, read, written or renamed. `what()` names the file and the reason that the
/// system gives.
class FileError : public Error {
 public:
  using Error::Error;
};

/// Cancellation, through a `Progress`, of work whose result has no status, such as building a hierarchy.
/// `what()` is "cancelled".
class CancelledError : public Error {
 public:
  CancelledError() : Error("cancelled") {}
};

/// A failed importer process: it refused the file, crashed, ran out of memory or made no progress.
class ImportError : public Error {
 public:
  using Error::Error;
};

}  // namespace fitup
