#include <doctest/doctest.h>
#include <sys/stat.h>

#include "support/cli_home.h"

using namespace rig;

TEST_SUITE_BEGIN("cli_run");

TEST_CASE("without any key the demo agent answers: the answer alone on stdout, the reason on stderr") {
  CliHome home;
  const auto ended = home.run({"run", "What does this folder contain?"});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK_EQ(ended.out, demo_answer(home.daemon().api(), "What does this folder contain?"));
  CHECK(contains(ended.err, "demo agent"));
  CHECK(contains(ended.err, "no model credentials found"));
  CHECK(contains(ended.err, "ANTHROPIC_API_KEY"));
}

TEST_CASE("every kind of answer reaches stdout byte for byte") {
  CliHome home;
  const auto truth = home.start_daemon().api();
  for (const std::string prompt :
       {"/markdown", "/plan", "/edit", "/think", "/tool", "/flood 500", "a \\ \" \t ü 漢 \xf0\x9f\x90\x98"}) {
    INFO(prompt);
    const auto ended = home.run({"run", prompt});
    CHECK_EQ(ended.code, 0);
    CHECK_EQ(ended.out, demo_answer(truth, prompt));
  }
}

TEST_CASE("in one pipe with the answer the status has lines of its own, and an answer alone gets no newline") {
  CliHome home;
  const auto truth = demo_answer(home.start_daemon().api(), "hello");
  REQUIRE_FALSE(truth.ends_with('\n'));
  const auto piped = [&home](const std::string& words) {
    const auto script = home.path() / "script";
    write_file(script, "#!/bin/sh\n\"$1\" run " + words + " hello 2>&1 | cat\n", true);
    Launch launch{
        .argv = {script, binary_under_test()}, .env = clean_environment(home.path(), home.mark()), .cwd = home.path()};
    launch.stdout_file = home.path() / ("script-out" + words);
    Process shell(launch);
    REQUIRE(shell.wait(milliseconds(20000)).has_value());
    return read_file(launch.stdout_file);
  };
  CHECK(contains(piped(""), truth + "\n✓ end of turn"));
  CHECK_EQ(piped("--quiet"), truth);
}

TEST_CASE("tools, plans and thoughts are told on stderr") {
  CliHome home;
  home.start_daemon();
  CHECK(contains(home.run({"run", "/edit"}).err, "Edit greeting.py"));
  CHECK(contains(home.run({"run", "/plan"}).err, "Write the answer"));
}

TEST_CASE("--quiet leaves nothing but the answer") {
  CliHome home;
  const auto ended = home.run({"run", "--quiet", "/edit"});
  CHECK_EQ(ended.code, 0);
  CHECK_EQ(ended.err, "");
  CHECK_EQ(ended.out, demo_answer(home.daemon().api(), "/edit"));
}

TEST_CASE("several words are one prompt, and it may stand behind --") {
  CliHome home;
  CHECK(contains(home.run({"run", "purple", "elephants", "fly"}).out, "You said: \"purple elephants fly\""));
  CHECK(contains(home.run({"run", "--", "--json"}).out, "You said: \"--json\""));
}

TEST_CASE("a prompt comes from stdin when that is no terminal") {
  CliHome home;
  const auto piped = home.run({"run"}, {.input = "purple\nelephants\n"});
  INFO(piped.err);
  CHECK_EQ(piped.code, 0);
  CHECK(contains(piped.out, "You said: \"purple\nelephants"));
  write_file(home.path() / "question.txt", "green giraffes\n");
  const auto from_file = home.run({"run"}, {.stdin_file = home.path() / "question.txt"});
  CHECK_EQ(from_file.code, 0);
  CHECK(contains(from_file.out, "You said: \"green giraffes"));
}

TEST_CASE("-f takes the prompt from a file, and one that is missing is named") {
  CliHome home;
  write_file(home.path() / "question.txt", "purple elephants");
  const auto ended = home.run({"run", "-f", "question.txt"});
  CHECK_EQ(ended.code, 0);
  CHECK(contains(ended.out, "purple elephants"));
  const auto missing = home.run({"run", "-f", "no-such-file.txt"});
  CHECK_NE(missing.code, 0);
  CHECK_EQ(missing.out, "");
  CHECK(contains(missing.err, "no-such-file.txt"));
}

TEST_CASE("-f waits for a pipe and reads it to its end") {
  CliHome home;
  const auto pipe = home.path() / "pipe";
  REQUIRE_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Launch writer;
  writer.argv = {"/bin/sh", "-c", "exec >pipe; sleep 0.2; printf 'purple '; sleep 0.2; printf elephants"};
  writer.env = {"PATH=/usr/bin:/bin"};
  writer.cwd = home.path();
  const Process writing(writer);
  const auto ended = home.run({"run", "-f", "pipe"});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK(contains(ended.out, "You said: \"purple elephants\""));
}

TEST_CASE("a prompt that is too long is refused and never cut, from a file as from stdin") {
  CliHome home;
  const auto large = home.path() / "large.txt";
  write_file(large, "");
  std::filesystem::resize_file(large, (48u << 20) + 1);
  const auto file = home.run({"run", "-f", "large.txt"});
  CHECK_EQ(file.code, 2);
  CHECK(contains(file.err, "the file 'large.txt' holds more than 50331648 bytes"));
  const auto input = home.run({"run"}, {.stdin_file = large});
  CHECK_EQ(input.code, 2);
  CHECK(contains(input.err, "stdin holds more than 50331648 bytes"));
}

TEST_CASE("a prompt of two megabytes comes back whole") {
  CliHome home;
  const std::string prompt(2'000'000, 'x');
  write_file(home.path() / "long.txt", prompt);
  const auto ended = home.run({"run", "-f", "long.txt"});
  CHECK_EQ(ended.code, 0);
  CHECK(contains(ended.out, prompt));
}

TEST_CASE("a prompt of nothing is wrong usage where nobody can be asked, and starts no daemon") {
  CliHome home;
  for (const auto& setup : {CommandSetup{}, CommandSetup{.input = ""}, CommandSetup{.input = " \n"}}) {
    const auto ended = home.run({"run"}, setup);
    CHECK_EQ(ended.code, 2);
    CHECK(ended.err.starts_with("error: "));
  }
  CHECK_EQ(home.run({"run", ""}).code, 2);
  CHECK(home.daemons().empty());
}

TEST_CASE("the agent works in the folder -C names, else in the present one") {
  CliHome home;
  home.record_agent();
  const auto project = home.path() / "project";
  std::filesystem::create_directory(project);
  const auto cwd = [](const std::filesystem::path& folder) { return "\"cwd\":\"" + folder.string() + "\""; };

  REQUIRE_EQ(home.run({"run", "-C", "project", "hello"}).code, 0);
  CHECK(contains(home.heard("mock"), cwd(project)));
  REQUIRE_EQ(home.run({"run", "hello"}, {.cwd = project.parent_path()}).code, 0);
  CHECK(contains(home.heard("mock"), cwd(home.path())));

  const auto events = json_lines(home.run({"run", "-C", "project", "--json", "hello"}).out);
  CHECK_EQ(text_at(boost::json::serialize(events.front()), "cwd"), project.string());

  const auto missing = home.run({"run", "-C", "no-such-folder", "hello"});
  CHECK_EQ(missing.code, 2);
  CHECK(contains(missing.err, "no-such-folder"));
}

TEST_CASE("the instance ends with the command, the daemon stays") {
  CliHome home;
  REQUIRE_EQ(home.run({"run", "hello"}).code, 0);
  CHECK(home.daemon().api().servers().empty());
  CHECK(home.agents_gone_within());
  const auto pid = home.daemon().pid();
  REQUIRE_EQ(home.run({"run", "hello"}).code, 0);
  CHECK_EQ(home.daemon().pid(), pid);
}

TEST_CASE("commands side by side do not disturb each other") {
  CliHome home;
  std::vector<std::unique_ptr<RunningCommand>> runs;
  for (int i = 0; i < 6; ++i) runs.push_back(home.start({"run", "prompt number " + std::to_string(i)}));
  for (int i = 0; i < 6; ++i) {
    const auto ended = runs[static_cast<std::size_t>(i)]->end();
    INFO(ended.err);
    CHECK_EQ(ended.code, 0);
    CHECK(contains(ended.out, "\"prompt number " + std::to_string(i) + "\""));
  }
  CHECK_EQ(home.daemons().size(), 1);
}

TEST_CASE("--continue with the demo agent says that it forgets, not what it answered") {
  CliHome home;
  REQUIRE_EQ(home.run({"run", "first"}).code, 0);
  const auto ended = home.run({"run", "--continue", "second"});
  CHECK_EQ(ended.code, 1);
  CHECK(contains(ended.err, "error: the demo agent cannot go on with the earlier conversation\n  it forgets everything when"));
}

TEST_CASE("--continue goes on with the last conversation of this folder, and without one says so") {
  CliHome home;
  home.record_agent();
  REQUIRE_EQ(home.run({"run", "first"}).code, 0);
  const auto ended = home.run({"run", "--continue", "second"});
  INFO(ended.err);
  CHECK(eventually([&] { return contains(home.heard("mock"), "session/resume"); }));
  std::filesystem::create_directory(home.path() / "elsewhere");
  const auto before = home.heard("mock").size();
  const auto fresh = home.run({"run", "--continue", "third"}, {.cwd = home.path() / "elsewhere"});
  CHECK_FALSE(contains(home.heard("mock").substr(before), "session/resume"));
  CHECK_FALSE(fresh.err.empty());
}

TEST_SUITE_END();
