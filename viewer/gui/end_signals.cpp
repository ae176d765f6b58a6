#include <viewer/gui/end_signals.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace fitup::viewer {
namespace {

constexpr int endingSignals[] = {SIGTERM, SIGINT, SIGHUP};
volatile std::sig_atomic_t writeEnd = -1;

extern "C" void noteEndSignal(int signal) {
  const int before = errno;
  const auto byte = static_cast<unsigned char>(signal);
  [[maybe_unused]] const auto written = ::write(writeEnd, &byte, 1);
  errno = before;
}

}  // namespace

EndSignals::EndSignals(QObject* parent) : QObject(parent) {
  if (::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) return;  // the signals keep their usual effect
  writeEnd = ends_[1];
  notifier_ = new QSocketNotifier(ends_[0], QSocketNotifier::Read, this);
  connect(notifier_, &QSocketNotifier::activated, this, &EndSignals::read);
  struct sigaction action {};
  action.sa_handler = noteEndSignal;
  // The second one of a kind finds the usual effect again.
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (const int signal : endingSignals) {
    struct sigaction present {};
    // A program in the background of a shell script ignores SIGINT, and one of `nohup` SIGHUP.
    if (::sigaction(signal, nullptr, &present) == 0 && present.sa_handler != SIG_IGN)
      ::sigaction(signal, &action, nullptr);
  }
}

EndSignals::~EndSignals() {
  if (notifier_ == nullptr) return;
  for (const int signal : endingSignals) {
    struct sigaction present {};
    if (::sigaction(signal, nullptr, &present) == 0 && present.sa_handler == noteEndSignal)
      std::signal(signal, SIG_DFL);
  }
  writeEnd = -1;
  for (const int end : ends_) ::close(end);
}

void EndSignals::read() {
  unsigned char signal = 0;
  if (::read(ends_[0], &signal, 1) == 1) emit received(signal);
}

}  // namespace fitup::viewer
