#include "base/log.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include <string>
#include <thread>
#include <vector>

#include "base/unique_fd.h"

namespace sa {
namespace {

// While it lives, the log goes into a small pipe that the test reads.
class LogPipe {
 public:
  LogPipe() {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    reader_ = UniqueFd(ends[0]);
    writer_ = UniqueFd(ends[1]);
    ::fcntl(writer_.get(), F_SETPIPE_SZ, 16 * 1024);
    REQUIRE(log::set_file(path(writer_.get()).c_str()));
  }
  ~LogPipe() {
    log::set_level(log::Level::info);
    log::set_file(path(STDERR_FILENO).c_str());
  }

  static std::string path(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

  std::vector<std::string> lines() {
    std::string text(1u << 20, '\0');
    const ssize_t n = ::read(reader_.get(), text.data(), text.size());
    std::vector<std::string> all;
    for (std::string_view rest(text.data(), n > 0 ? static_cast<std::size_t>(n) : 0); !rest.empty();) {
      all.emplace_back(rest.substr(0, rest.find('\n')));
      rest.remove_prefix(std::min(rest.size(), all.back().size() + 1));
    }
    return all;
  }

 private:
  UniqueFd reader_;
  UniqueFd writer_;
};

}  // namespace

TEST_CASE("a log line has a time, a level and the text on one line") {
  LogPipe pipe;
  log::warn("{} of {}\r\nsecond\tline", 1, "two");
  const auto lines = pipe.lines();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].size() > 31);
  CHECK(lines[0][10] == 'T');
  CHECK(lines[0].substr(23) == "Z warn  1 of two  second line");
}

TEST_CASE("levels below the threshold are not written") {
  LogPipe pipe;
  log::debug("no");
  log::set_level(log::Level::warn);
  log::info("no");
  log::warn("yes");
  log::set_level(log::Level::off);
  log::error("no");
  const auto lines = pipe.lines();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].ends_with(" yes"));
}

TEST_CASE("a log nobody reads never blocks, and the first line after it says that lines were dropped") {
  LogPipe pipe;
  const std::string text(1'000, 'x');
  for (int i = 0; i < 50; ++i) log::info("{}", text);
  const auto before = pipe.lines();
  CHECK_FALSE(before.empty());
  CHECK(before.size() < 50);
  for (const std::string& line : before) CHECK(line.ends_with(text));
  log::info("after");
  log::info("last");
  const auto after = pipe.lines();
  REQUIRE(after.size() == 2);
  CHECK(after[0].find(" after (") != std::string::npos);
  CHECK(after[0].ends_with("(" + std::to_string(50 - before.size()) + " earlier lines dropped)"));
  CHECK(after[1].ends_with(" last"));
}

TEST_CASE("an endless line is cut") {
  LogPipe pipe;
  log::info("{}", std::string(100'000, 'x'));
  const auto lines = pipe.lines();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].size() < 4'096);
  CHECK(lines[0].size() > 3'000);
}

TEST_CASE("a log file is appended to, and one that cannot be opened is refused") {
  char path[] = "/tmp/log_test.XXXXXX";
  const UniqueFd file(::mkstemp(path));
  REQUIRE(::write(file.get(), "old\n", 4) == 4);
  {
    LogPipe restores_stderr;
    REQUIRE(log::set_file(path));
    log::info("new");
  }
  std::string text(1'000, '\0');
  const ssize_t n = ::pread(file.get(), text.data(), text.size(), 0);
  ::unlink(path);
  REQUIRE(n > 0);
  text.resize(static_cast<std::size_t>(n));
  CHECK(text.starts_with("old\n"));
  CHECK(text.ends_with(" new\n"));
  CHECK_FALSE(log::set_file("/no/such/folder/log"));
}

TEST_CASE("lines of several threads stay whole") {
  LogPipe pipe;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      for (int j = 0; j < 8; ++j) log::info("{}", std::string(20, static_cast<char>('a' + i)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto lines = pipe.lines();
  CHECK(lines.size() == 32);
  for (const std::string& line : lines) CHECK(line.substr(31) == std::string(20, line.back()));
}

}  // namespace sa
