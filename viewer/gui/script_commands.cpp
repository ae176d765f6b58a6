#include <viewer/gui/commands.h>

#include <cstdio>

#include <QDeadlineTimer>

#include <fitup/base/error.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/latency.h>
#include <viewer/gui/process_memory.h>
#include <viewer/gui/properties_panel.h>

namespace fitup::viewer {
namespace {

void printTimes(const char* what, const char* times, const std::vector<double>& milliseconds) {
  std::printf("%s: %zu events, %s: median %.3f ms, p95 %.3f ms\n", what, milliseconds.size(), times,
              quantile(milliseconds, 0.5), quantile(milliseconds, 0.95));
}

/// Returns the repetitions and the seed of a measuring command.
std::pair<std::size_t, std::uint32_t> repetitions(const Words& words) {
  return {words.empty() ? 500 : countOf(words[0]),
          static_cast<std::uint32_t>(words.size() > 1 ? countOf(words[1]) : 1)};
}

}  // namespace

void Commands::addForScripts(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  const auto deadline = std::make_shared<QDeadlineTimer>();
  add("pause", {}, nothing, {{"SECONDS", number}}, [deadline](const Words& words) {
    const double seconds = numberOf(words[0]);
    constexpr double day = 86400;
    if (!(seconds >= 0 && seconds <= day)) throw InputError("'" + words[0] + "' is not a time to wait");
    deadline->setRemainingTime(static_cast<qint64>(1000 * seconds));
  }).isDone = [deadline](auto&) { return deadline->hasExpired(); };
  add("properties", {}, model, {}, [&w](auto&) {
    if (!w.properties().isInFront()) throw InputError("the panel 'Properties' is not visible");
    std::fputs(w.properties().text().toUtf8().constData(), stdout);
  });
  add("expect-findings", {}, model, {{"N", count}}, [&w](const Words& words) {
    const std::size_t found = w.table().rows().findingCount();
    if (found != countOf(words[0]))
      throw InputError(std::to_string(found) + " findings instead of " + words[0]);
  });
  const std::vector<Parameter> times{{"N", count, Parameter::Times::optional},
                                     {"SEED", count, Parameter::Times::optional}};
  add("measure-drag", {}, model, times, [&w](const Words& words) {
    const auto [events, seed] = repetitions(words);
    const Latencies latencies = measureDrag(w, events, seed);
    printTimes("drag", "from event to highlight and table", latencies.whole);
    printTimes("drag", "check and distance", latencies.answer);
    printTimes("drag", "detection", latencies.detection);
  });
  add("measure-hover", {}, model, times, [&w](const Words& words) {
    const auto [events, seed] = repetitions(words);
    printTimes("hover", "from event to preselected face", measureHover(w, events, seed).whole);
  });
  add("measure-turn", {}, model, {{"N", count, Parameter::Times::optional}}, [&w](const Words& words) {
    const std::vector<double> times = measureTurn(w, words.empty() ? 50 : countOf(words[0]));
    printTimes("turn", "from event to picture", times);
    std::printf("turn: %.1f frames a second\n", 1000 / quantile(times, 0.5));
  });
  add("memory", {}, nothing, {}, [](auto&) {
    const auto inGigabytes = [](std::size_t bytes) { return static_cast<double>(bytes) * 1e-9; };
    const ProcessMemory memory = processMemory();
    std::printf("memory: %.2f GB resident, %.2f GB of it from files; at most %.2f GB so far\n",
                inGigabytes(memory.resident), inGigabytes(memory.fromFiles), inGigabytes(memory.peak));
  });
}

}  // namespace fitup::viewer
