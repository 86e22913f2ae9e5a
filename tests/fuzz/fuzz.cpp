#include "tests/fuzz/fuzz.hpp"

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <optional>
#include <random>

// Of the sanitizers, where they are: so that their end of the process is noticed.
extern "C" void __attribute__((weak)) __sanitizer_set_death_callback(void (*callback)());
extern "C" const char* __ubsan_default_options() {
  return "abort_on_error=1";
}

namespace netml::fuzz {

namespace {

// What one input may take. The second ends what waits for something that does not come.
constexpr unsigned kProcessorSeconds = 10;
constexpr unsigned kPatienceSeconds = 120;

constexpr const char* kUsage = R"(Usage: {} TARGET [--runs N | --seconds S] [--seed S] [--only RUN]

  TARGET       one of:{}
  --runs N     inputs to try; 2000 without any of these
  --seconds S  tries for so long
  --seed S     of the inputs; 1
  --only RUN   tries the input of this number alone, and writes it to standard output
)";

struct Arguments {
  std::string target;
  std::uint64_t runs = 2000;
  std::uint64_t seconds = 0;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> only;
};

// Written while all is well, read when it is not any more.
std::array<char, 256> how_to_repeat;

void tell_how_to_repeat() {
  const ssize_t written =
      ::write(STDERR_FILENO, how_to_repeat.data(), std::strlen(how_to_repeat.data()));
  static_cast<void>(written);
}

void on_signal(int signal) {
  constexpr std::string_view kTooLong = "\nfailed: an input takes too long";
  if (signal == SIGPROF || signal == SIGALRM) {
    const ssize_t written = ::write(STDERR_FILENO, kTooLong.data(), kTooLong.size());
    static_cast<void>(written);
  }
  tell_how_to_repeat();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

// Changes one sample a few times.
class Mutator {
 public:
  Mutator(const Target& target, std::uint64_t seed, std::uint64_t run)
      : target_(target), random_(seed * 0x9e3779b97f4a7c15 + run) {}

  std::string input() {
    std::string text = one_of(target_.samples);
    for (std::size_t changes = 1 + below(1 + below(6)); changes > 0; --changes) change(text);
    text.resize(std::min(text.size(), target_.input_bytes_max));
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  const std::string& one_of(const std::vector<std::string>& list) {
    return list[below(list.size())];
  }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(text.size() - at, below(1 + below(200)));
    switch (below(target_.words.empty() ? 8 : 12)) {
      case 0:  // a bit
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:  // a byte
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      case 2:
        put_number(text, at);
        break;
      case 3:
        text.erase(at, length);
        break;
      case 4:
        text.insert(below(text.size() + 1), text.substr(at, length));
        break;
      case 5:
        text.insert(at, std::string(1 + below(40), static_cast<char>(random_())));
        break;
      case 6: {  // a piece of another sample
        const std::string& other = one_of(target_.samples);
        text.replace(at, length, other, below(other.size()), below(300));
        break;
      }
      case 7:
        if (below(4) == 0) text.resize(at);
        break;
      case 8:
      case 9:
        text.insert(at, one_of(target_.words));
        break;
      default:
        exchange_word(text, at);
    }
  }

  // The first of its kind from there on by another: what still has a form is read further.
  void exchange_word(std::string& text, std::size_t at) {
    const std::string& word = one_of(target_.words);
    const std::size_t found = text.find(word, at);
    if (found != text.npos) text.replace(found, word.size(), one_of(target_.words));
  }

  // One at the edge of something, in 1 to 8 bytes.
  void put_number(std::string& text, std::size_t at) {
    constexpr std::uint64_t kEdges[] = {0,          1,          7,          0x7f,       0x80,
                                        0xff,       0x100,      0x7fff,     0xffff,     0x10000,
                                        0x7fffffff, 0x80000000, 0xffffffff, 0x100000000};
    std::uint64_t number = kEdges[below(std::size(kEdges))] + below(3) - 1;
    if (below(8) == 0) number = ~number;
    const std::size_t bytes = std::min(text.size() - at, std::size_t{1} << below(4));
    std::memcpy(text.data() + at, &number, bytes);
  }

  const Target& target_;
  std::mt19937_64 random_;
};

// Runs the target; a signal ends it when it takes too long.
void run_bounded(const Target& target, std::string_view input) {
  const itimerval limit{{}, {kProcessorSeconds, 0}};
  constexpr itimerval kNone{};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
  ::alarm(kPatienceSeconds);
  target.run(input);
  ::alarm(0);
  ::setitimer(ITIMER_PROF, &kNone, nullptr);
}

void try_input(const Target& target, const Arguments& arguments, std::uint64_t run) {
  const auto end =
      fmt::format_to_n(how_to_repeat.data(), how_to_repeat.size() - 1,
                       "\nto repeat: {} --seed {} --only {}\n", target.name, arguments.seed, run);
  *end.out = '\0';
  const std::string input = Mutator(target, arguments.seed, run).input();
  if (arguments.only && ::write(STDOUT_FILENO, input.data(), input.size()) < 0)
    std::perror("write");
  run_bounded(target, input);
}

void try_inputs(const Target& target, const Arguments& arguments) {
  using Clock = std::chrono::steady_clock;
  for (const std::string& sample : target.samples) run_bounded(target, sample);
  if (arguments.only) return try_input(target, arguments, *arguments.only);
  const auto begin = Clock::now();
  const auto passed = [&] { return Clock::now() - begin; };
  const auto goes_on = [&](std::uint64_t run) {
    if (arguments.seconds == 0) return run < arguments.runs;
    return passed() < std::chrono::seconds(arguments.seconds);
  };
  std::uint64_t run = 0;
  for (; goes_on(run); ++run) try_input(target, arguments, run);
  fmt::print("{}: {} inputs in {:.1f} s from seed {}\n", target.name, run,
             std::chrono::duration<double>(passed()).count(), arguments.seed);
}

std::optional<Arguments> read_arguments(int argc, char** argv) {
  Arguments arguments;
  if (argc < 2 || argc % 2 != 0) return std::nullopt;
  arguments.target = argv[1];
  for (int i = 2; i < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string_view text = argv[i + 1];
    std::uint64_t number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc())
      return std::nullopt;
    if (name == "--runs")
      arguments.runs = number;
    else if (name == "--seconds")
      arguments.seconds = number;
    else if (name == "--seed")
      arguments.seed = number;
    else if (name == "--only")
      arguments.only = number;
    else
      return std::nullopt;
  }
  return arguments;
}

}  // namespace

std::vector<std::string> between_bars(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    words.emplace_back(text.substr(0, text.find('|')));
    text.remove_prefix(std::min(text.size(), words.back().size() + 1));
  }
  return words;
}

std::vector<std::string_view> in_pieces(std::string_view input) {
  std::mt19937_64 random(std::hash<std::string_view>{}(input));
  const std::size_t longest = std::size_t{1} << random() % 14;
  std::vector<std::string_view> pieces;
  while (!input.empty()) {
    const std::size_t bytes = std::min<std::size_t>(input.size(), 1 + random() % longest);
    pieces.push_back(input.substr(0, bytes));
    input.remove_prefix(bytes);
  }
  return pieces;
}

void promise(bool holds, const char* what) {
  if (holds) return;
  fmt::print(stderr, "failed: it does not hold that {}\n", what);
  std::abort();
}

int run_program(int argc, char** argv, const std::vector<Target>& targets) {
  const std::optional<Arguments> arguments = read_arguments(argc, argv);
  std::string names;
  for (const Target& target : targets) {
    names += ' ' + target.name;
    if (!arguments || arguments->target != target.name) continue;
    for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGALRM, SIGPROF, SIGTERM})
      ::signal(signal, on_signal);
    if (__sanitizer_set_death_callback != nullptr)
      __sanitizer_set_death_callback(tell_how_to_repeat);
    try_inputs(target, *arguments);
    return 0;
  }
  const bool asked = argc == 2 && std::string_view(argv[1]) == "--help";
  fmt::print(asked ? stdout : stderr, kUsage, argv[0], names);
  return asked ? 0 : 2;
}

}  // namespace netml::fuzz
