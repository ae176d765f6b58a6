#include "measure.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <models/random.h>

namespace fitup::bench {
namespace {

/// Returns the seconds since some moment.
double now(ClockKind clock) {
  timespec time{};
  clock_gettime(clock == ClockKind::wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

using Steps = std::vector<std::size_t>;  ///< indices into a scene, ascending

/// Returns the number of pairs found, or the distance.
double askOne(Contestant& contestant, const PosedPair& pair, const Question& question) {
  return question.mode ? static_cast<double>(contestant.query(pair, *question.mode))
                       : contestant.distance(pair);
}

/// Returns the time of all questions of these steps, asked `repeats` times, for one repeat.
double timePass(Contestant& contestant, const Scene& scene, const Question& question, const Steps& steps,
                int repeats, ClockKind clock) {
  if (contestant.placesOutsideClock() && !question.endsStep) {
    double taken = 0;
    for (const std::size_t s : steps)
      for (const PosedPair& pair : scene.steps[s]) {
        contestant.place(pair);
        const auto begin = now(clock);
        for (int i = 0; i < repeats; ++i) askOne(contestant, pair, question);
        taken += now(clock) - begin;
      }
    return taken / repeats;
  }
  const auto begin = now(clock);
  for (int i = 0; i < repeats; ++i)
    for (const std::size_t s : steps) {
      contestant.beginStep();
      if (question.endsStep)
        contestant.anyOf(scene.steps[s]);
      else
        for (const PosedPair& pair : scene.steps[s]) askOne(contestant, pair, question);
    }
  return (now(clock) - begin) / repeats;
}

/// Calls `work` from another depth of the stack in each round. A load whose address has the same last twelve
/// bits as that of a store shortly before waits for the store. By chance, a contestant's data and the stack
/// may lie so in a process, and all its rounds take up to two fifths longer.
template <typename Work>
[[gnu::noinline]] double atDepthOf(int round, Work&& work) {
  constexpr int step = 256, depths = 16;
  // 7: neighbouring rounds are far from each other.
  volatile char* const room =
      static_cast<char*>(__builtin_alloca(static_cast<std::size_t>(step * (1 + round * 7 % depths))));
  *room = 0;
  return work();
}

/// The pairs found for a question, sorted; empty if a contestant does not report them.
using PairList = std::optional<std::vector<std::uint64_t>>;

/// The answers of a contestant to the steps it was asked; the other steps are empty.
struct Answers {
  std::vector<std::vector<double>> values;   ///< numbers of pairs, or distances
  std::vector<std::vector<PairList>> pairs;  ///< for the same questions, if they list any
  Steps asked;                               ///< in the order of asking
  double slowestStep = 0, wholeSeconds = 0;
  std::optional<QueryStats> stats;
};

/// Not for a distance, nor for the first pair, which may be any.
bool listsPairs(const Question& question) {
  return question.mode && *question.mode != QueryMode::firstSurfacePair;
}
PairList pairsOf(Contestant& contestant, const Question& question) {
  std::vector<std::uint64_t> pairs;
  if (!contestant.lastPairs(*question.mode, pairs)) return std::nullopt;
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// The pass that compares answers; it also warms up caches and branch predictors.
Answers ask(Contestant& contestant, const Scene& scene, const Question& question, const Steps& order,
            double budget, double longestStep, ClockKind clock) {
  Answers answers;
  answers.values.resize(scene.steps.size());
  answers.pairs.resize(scene.steps.size());
  contestant.takeStats();
  for (const std::size_t s : order) {
    auto begin = now(clock);
    double taken = 0;
    contestant.beginStep();
    if (question.endsStep)
      answers.values[s].push_back(contestant.anyOf(scene.steps[s]) ? 1 : 0);
    else
      for (const PosedPair& pair : scene.steps[s]) {
        if (contestant.placesOutsideClock()) contestant.place(pair);
        answers.values[s].push_back(askOne(contestant, pair, question));
        if (!listsPairs(question)) continue;
        taken += now(clock) - begin;
        answers.pairs[s].push_back(pairsOf(contestant, question));
        begin = now(clock);
      }
    taken += now(clock) - begin;
    answers.asked.push_back(s);
    answers.wholeSeconds += taken;
    answers.slowestStep = std::max(answers.slowestStep, taken);
    if (answers.wholeSeconds > budget || taken > longestStep) break;
  }
  answers.stats = contestant.takeStats();
  return answers;
}

Steps everyStepOf(const Scene& scene) {
  Steps steps(scene.steps.size());
  std::iota(steps.begin(), steps.end(), std::size_t{0});
  return steps;
}

/// The same shuffle for all contestants, so that a part of the steps is a fair sample, and the same one.
Steps shuffledSteps(const Scene& scene) {
  Steps order = everyStepOf(scene);
  models::Random random(1);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.bits() % i]);
  return order;
}

/// Returns the diagonal of the box around two placed parts.
double diagonalOf(const Scene& scene, const PosedPair& pair) {
  Box box = placedBox(pair.worldFromA, scene.parts[pair.partA]->boundsInPart());
  box.extend(placedBox(pair.worldFromB, scene.parts[pair.partB]->boundsInPart()));
  return box.empty() ? 0 : norm(box.max - box.min);
}

/// Distances agree if they differ by less than 1e-6 of the diagonal.
void compareDistances(const Scene& scene, const Answers& answers, const Answers& exact, QueryRow& row) {
  row.stepsChecked = answers.asked.size();
  double largest = 0;
  for (const std::size_t s : answers.asked)
    for (std::size_t i = 0; i < answers.values[s].size(); ++i) {
      const double difference = answers.values[s][i] - exact.values[s][i],
                   diagonal = diagonalOf(scene, scene.steps[s][i]);
      const bool agrees = std::abs(difference) <= 1e-6 * diagonal;
      ++row.expected;
      row.found += agrees ? 1 : 0;
      row.wrongPairs += agrees ? 0 : 1;
      row.missed += !agrees && difference > 0 ? 1 : 0;
      row.invented += !agrees && difference < 0 ? 1 : 0;
      if (diagonal > 0) largest = std::max(largest, std::abs(difference) / diagonal);
    }
  row.largestError = largest;
}

/// Both are sorted; a pair that is reported twice occurs twice.
std::size_t countOnlyIn(const std::vector<std::uint64_t>& some, const std::vector<std::uint64_t>& others) {
  std::vector<std::uint64_t> rest;
  std::set_difference(some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(rest));
  return rest.size();
}

void compare(const Answers& answers, const Answers& exact, QueryRow& row) {
  row.stepsChecked = answers.asked.size();
  for (const std::size_t s : answers.asked)
    for (std::size_t i = 0; i < answers.values[s].size(); ++i) {
      const auto got = static_cast<std::size_t>(answers.values[s][i]),
                 right = static_cast<std::size_t>(exact.values[s][i]);
      row.found += got;
      row.expected += right;
      std::size_t missed = got < right ? right - got : 0, invented = got > right ? got - right : 0;
      if (!exact.pairs[s].empty() && answers.pairs[s][i] && exact.pairs[s][i]) {
        missed = countOnlyIn(*exact.pairs[s][i], *answers.pairs[s][i]);
        invented = countOnlyIn(*answers.pairs[s][i], *exact.pairs[s][i]);
      }
      row.wrongPairs += missed + invented == 0 ? 0 : 1;
      row.missed += missed;
      row.invented += invented;
    }
}

void countOperations(const Answers& answers, QueryRow& row) {
  if (!answers.stats) return;
  const auto steps = static_cast<double>(std::max<std::size_t>(1, answers.asked.size()));
  row.boxTests = static_cast<double>(answers.stats->boxTests) / steps;
  row.boxUpdates = static_cast<double>(answers.stats->boxUpdates) / steps;
  row.triangleTests = static_cast<double>(answers.stats->triangleTests) / steps;
}

/// Returns the milliseconds per step of a pass in seconds.
double milliseconds(double pass, std::size_t steps) {
  return 1e3 * pass / static_cast<double>(std::max<std::size_t>(1, steps));
}

/// The state of a contestant during the rounds.
struct Runner {
  Contestant* contestant;
  QueryRow row;
  Steps steps;  ///< steps that it is timed on, ascending; for a part of them, in the common shuffle
  std::size_t stepsEach = 0;  ///< per round; all of them or a part
  int repeats = 1;
  int referenceRepeats = 1;
  std::vector<double> times, ratios;  // one per round

  [[nodiscard]] bool getsPart() const { return stepsEach < steps.size(); }
  /// Returns parts of the steps in turn, so that the rounds show how the steps differ.
  [[nodiscard]] Steps ofRound(int round) const {
    if (!getsPart()) return steps;
    Steps part;
    for (std::size_t i = 0; i < stepsEach; ++i)
      part.push_back(steps[(static_cast<std::size_t>(round) * stepsEach + i) % steps.size()]);
    std::sort(part.begin(), part.end());
    return part;
  }
};

/// Returns how often to ask these steps so that a pass takes `shortestPass`. A first pass says little about
/// that, because it maps pages and fills caches. So passes are timed until one is long enough, each with the
/// number of repeats that the previous one suggests.
int repeatsFor(Contestant& contestant, const Scene& scene, const Question& question, const Steps& steps,
               double firstPass, const Effort& effort) {
  int repeats = 1;
  for (double pass = firstPass;;) {
    const double wanted = std::clamp(std::ceil(effort.shortestPass / std::max(pass, 1e-9)), 1.0, 1e5);
    if (wanted <= repeats) return repeats;
    repeats = static_cast<int>(wanted);
    pass = timePass(contestant, scene, question, steps, repeats, effort.clock);
  }
}

void plan(Runner& runner, const Scene& scene, const Question& question, const Answers& answers,
          const Effort& effort) {
  const auto asked = static_cast<double>(std::max<std::size_t>(1, answers.asked.size()));
  const double perStep = answers.wholeSeconds / asked;
  // Rounds are traded for steps, down to the fewest, because one step may differ from all others.
  const double longestPass =
      effort.passSeconds * effort.rounds / std::min(effort.fewestRounds, effort.rounds);
  const double steps = std::max(effort.passSeconds / std::max(perStep, 1e-12),
                                std::min<double>(effort.fewestSteps, longestPass / std::max(perStep, 1e-12)));
  const auto affordable = static_cast<std::size_t>(std::clamp(steps, 1.0, 1e9));
  const std::size_t count = std::min(affordable, answers.asked.size());
  runner.steps = answers.asked;
  runner.stepsEach = count;
  if (!runner.getsPart()) std::sort(runner.steps.begin(), runner.steps.end());
  const double pass = perStep * static_cast<double>(count);
  runner.repeats = repeatsFor(*runner.contestant, scene, question, runner.ofRound(0), pass, effort);
  const int affordableRounds = static_cast<int>(effort.rounds * effort.passSeconds / std::max(pass, 1e-12));
  runner.row.rounds =
      std::clamp(affordableRounds, std::min(effort.fewestRounds, effort.rounds), effort.rounds);
  runner.row.stepsTimed = std::min(runner.steps.size(), count * static_cast<std::size_t>(runner.row.rounds));
}

/// Returns the contestant whose answers count as right: one of Fitup, which is exact for the coordinates that
/// it places.
Contestant& truthOf(const Contestants& contestants, const Question& question, Contestant& reference) {
  if (reference.info().fitup) return reference;
  for (const auto& c : contestants)
    if (c->info().fitup && !c->isCoherent() && canAnswer(*c, question)) return *c;
  return reference;
}

}  // namespace

std::string name(const Question& question) {
  if (!question.mode) return "distance";
  return question.endsStep ? "first of a step" : std::string(name(*question.mode));
}

bool canAnswer(const Contestant& contestant, const Question& question) {
  if (!question.mode) return contestant.measuresDistances();
  // A step that may end early cannot be prepared outside the clock.
  return contestant.answers(*question.mode) && !(question.endsStep && contestant.placesOutsideClock());
}

QueryTable measureQueries(const Scene& scene, const Question& question, const Contestants& contestants,
                          Contestant& reference, const Effort& effort, TooSlow& tooSlow) {
  QueryTable table;
  table.scene = scene.name;
  table.mode = name(question);
  table.steps = scene.steps.size();
  table.questions = question.endsStep ? scene.steps.size() : scene.questionCount();

  const Steps order = shuffledSteps(scene);
  const Steps everyStep = everyStepOf(scene);
  // The reference and the contestant with the right answers answer every step, so that every other contestant
  // can be compared.
  const double never = 1e300;
  Contestant& truth = truthOf(contestants, question, reference);
  const Answers exact = ask(truth, scene, question, order, never, never, effort.clock);
  const double referenceSeconds =
      &truth == &reference ? exact.wholeSeconds
                           : ask(reference, scene, question, order, never, never, effort.clock).wholeSeconds;
  std::size_t hits = 0;
  for (const auto& step : exact.values)
    hits += static_cast<std::size_t>(
        std::count_if(step.begin(), step.end(), [&](double n) { return question.mode ? n > 0 : n == 0; }));
  table.hitShare = static_cast<double>(hits) / static_cast<double>(std::max<std::size_t>(1, table.questions));

  std::vector<Runner> runners;
  for (const auto& c : contestants) {
    if (!canAnswer(*c, question)) continue;
    if (c->isCoherent() && !scene.suitsCoherence) continue;
    Runner runner;
    runner.contestant = c.get();
    runner.row.contestant = c->info().name;
    if (const auto slow = tooSlow.find(c.get()); slow != tooSlow.end()) {
      runner.row.leftOut = slow->second;
      runners.push_back(std::move(runner));
      continue;
    }
    const bool isReference = c.get() == &reference;
    const auto answersOf = [&] {
      return ask(*c, scene, question, order, isReference ? never : effort.checkSeconds,
                 isReference ? never : effort.longestStep, effort.clock);
    };
    // The data that a coherent contestant builds for its first questions are not part of a step.
    if (c->isCoherent()) answersOf();
    const Answers answers = c.get() == &truth ? exact : answersOf();
    if (question.mode)
      compare(answers, exact, runner.row);
    else
      compareDistances(scene, answers, exact, runner.row);
    countOperations(answers, runner.row);
    if (isReference) {
      runner.steps = everyStep;
      runner.stepsEach = everyStep.size();
      runner.repeats = repeatsFor(reference, scene, question, everyStep, answers.wholeSeconds, effort);
      runner.row.rounds = effort.rounds;
      runner.row.stepsTimed = everyStep.size();
      runners.insert(runners.begin(), std::move(runner));
      continue;
    }
    if (answers.slowestStep > effort.longestStep) {
      runner.row.leftOut = fmt::format("{:.1f} s for a step", answers.slowestStep);
      tooSlow.emplace(c.get(), runner.row.leftOut);
    } else {
      plan(runner, scene, question, answers, effort);
    }
    runners.push_back(std::move(runner));
  }

  const double referenceStep = referenceSeconds / static_cast<double>(std::max<std::size_t>(1, order.size()));
  for (Runner& runner : runners)
    if (runner.stepsEach > 0 && runner.stepsEach < everyStep.size())
      runner.referenceRepeats = repeatsFor(reference, scene, question, runner.ofRound(0),
                                           referenceStep * static_cast<double>(runner.stepsEach), effort);
  for (int round = 0; round < effort.rounds; ++round) {
    const auto timed = [&](Contestant& contestant, const Steps& steps, int repeats) {
      return atDepthOf(round,
                       [&] { return timePass(contestant, scene, question, steps, repeats, effort.clock); });
    };
    // Each contestant is timed between two passes of the reference over the same steps and divided by their
    // mean, so that the machine's drift cancels. Neighbours that are asked all steps share the pass between
    // them.
    std::optional<double> justBefore;  // a pass of the reference over all steps
    std::vector<double> whole;         // all of these
    for (Runner& runner : runners) {
      if (!runner.row.leftOut.empty() || round >= runner.row.rounds) continue;
      const Steps steps = runner.ofRound(round);
      const bool asksAll = steps.size() == everyStep.size();
      const auto timeReference = [&] {
        const double pass =
            timed(reference, steps, asksAll ? runners.front().repeats : runner.referenceRepeats);
        if (asksAll) whole.push_back(pass);
        return pass;
      };
      if (runner.contestant == &reference) {
        justBefore = timeReference();
        continue;
      }
      const double before = asksAll && justBefore ? *justBefore : timeReference();
      const double taken = timed(*runner.contestant, steps, runner.repeats);
      const double after = timeReference();
      justBefore = asksAll ? std::optional(after) : std::nullopt;
      runner.times.push_back(milliseconds(taken, steps.size()));
      runner.ratios.push_back(before + after > 0 ? 2 * taken / (before + after) : 1);
    }
    const double sum = std::accumulate(whole.begin(), whole.end(), 0.0);
    runners.front().times.push_back(milliseconds(sum / static_cast<double>(whole.size()), everyStep.size()));
    runners.front().ratios.push_back(1);
  }
  for (Runner& runner : runners) {
    runner.row.milliseconds = medianInterval(runner.times);
    runner.row.ratio = medianInterval(runner.ratios);
    table.rows.push_back(runner.row);
  }
  return table;
}

MedianInterval timesFaster(const Scene& scene, const Question& question, const Question& other,
                           Contestant& contestant, const Effort& effort) {
  const Steps steps = everyStepOf(scene);
  const auto timed = [&](const Question& asked, int repeats, int round) {
    return atDepthOf(round, [&] { return timePass(contestant, scene, asked, steps, repeats, effort.clock); });
  };
  const auto repeats = [&](const Question& asked) {
    return repeatsFor(contestant, scene, asked, steps, timed(asked, 1, 0), effort);
  };
  const int repeatsOfOne = repeats(question), repeatsOfOther = repeats(other);
  std::vector<double> ratios;
  double before = timed(other, repeatsOfOther, 0);
  for (int round = 0; round < effort.rounds; ++round) {
    const double taken = timed(question, repeatsOfOne, round), after = timed(other, repeatsOfOther, round);
    ratios.push_back((before + after) / std::max(2 * taken, 1e-12));
    before = after;
  }
  return medianInterval(ratios);
}

BuildTable measureBuilds(const Scene& scene, const Contestants& contestants, const Effort& effort, int rounds,
                         const Watch& watch) {
  BuildTable table;
  table.scene = scene.name;
  table.parts = scene.parts.size();
  table.triangles = triangleCount(scene.parts);
  for (const auto& c : contestants) {
    watch(c->info().name);
    c->load(scene.parts);
  }
  std::vector<std::vector<double>> speeds(contestants.size());
  std::vector<double> spent(contestants.size(), 0.0);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      // Slow builders get three rounds.
      if (round >= 3 && spent[i] > 2.0) continue;
      const auto begin = now(effort.clock);
      contestants[i]->build();
      const double taken = now(effort.clock) - begin;
      spent[i] += taken;
      speeds[i].push_back(1e-6 * static_cast<double>(table.triangles) / std::max(taken, 1e-9));
    }
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    BuildRow row;
    row.contestant = contestants[i]->info().name;
    row.megatrianglesPerSecond = medianInterval(speeds[i]);
    if (const auto bytes = contestants[i]->hierarchyBytes())
      row.bytesPerTriangle =
          static_cast<double>(*bytes) / static_cast<double>(std::max<std::size_t>(1, table.triangles));
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace fitup::bench
