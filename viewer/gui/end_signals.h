#pragma once

#include <QObject>
#include <QSocketNotifier>

namespace fitup::viewer {

/// Tells the event loop of the signals that ask the program to end: SIGTERM (the end of the user's login
/// session, or `kill`), SIGINT (Ctrl+C in the terminal), and SIGHUP (a terminal that is closed). A second
/// signal ends the program at once, as without this object. At most one exists.
class EndSignals : public QObject {
  Q_OBJECT

 public:
  explicit EndSignals(QObject* parent = nullptr);
  ~EndSignals() override;

 signals:
  /// Emitted in the event loop, where anything may be done.
  void received(int signal);

 private:
  void read();

  int ends_[2] = {-1, -1};  ///< of a pipe: the handler may only write a byte
  QSocketNotifier* notifier_ = nullptr;
};

}  // namespace fitup::viewer
