#pragma once

#include <new>
#include <string>

#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>

#include <fitup/base/error.h>

namespace fitup::importers {

/// Runs a reader of Open CASCADE. Translates its exceptions, and suppresses its messages, which would mix
/// with the protocol's lines. Throws InputError, std::bad_alloc, and what `read` throws.
template <typename Read>
auto withOcctFailures(const Read& read) {
  Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_Printer));
  try {
    return read();
  } catch (const Standard_OutOfMemory&) {
    throw std::bad_alloc();
  } catch (const Standard_Failure& failure) {
    throw InputError(std::string("Open CASCADE: ") + failure.DynamicType()->Name() + ": " +
                     failure.GetMessageString());
  }
}

}  // namespace fitup::importers
