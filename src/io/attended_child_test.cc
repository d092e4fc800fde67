// Real programs under real supervisors: this test binary re-executes itself as theirs.
#include "io/attended_child.h"

#include <doctest/doctest.h>
#include <fcntl.h>

#include "io/process_world.h"

namespace sa {
namespace {

using namespace std::chrono_literals;

struct World;
using Body = Task<> (*)(World&);

struct World : ProcessWorld {
  void run(Body body) { ProcessWorld::run(body(*this)); }
  std::shared_ptr<Child> shell(std::string script) {
    return processes.start({{"/bin/sh", "-c", std::move(script)}, {"PATH=/usr/bin:/bin"}}).value();
  }
};

AttendedChild::Sink into(std::string& text) {
  return [&text](std::string_view bytes) { text += bytes; };
}

}  // namespace

TEST_CASE("all that lies in the pipes of a program that is gone is taken") {
  World().run([](World& world) -> Task<> {
    const auto child = world.shell("head -c 500000 /dev/zero; echo end; echo END >&2");
    const int size = ::fcntl(child->out.get(), F_SETPIPE_SZ, 1 << 20);
    CHECK(size == 1 << 20);
    Signal changed(world.loop);
    child->set_listener(&changed);
    while (!child->gone()) co_await changed.wait();
    std::string out, err;
    AttendedChild program(world.loop, child, 0ms, nullptr, into(out), into(err));
    co_await program.end(0ms);
    CHECK(out.size() == 500'004);
    CHECK(out.ends_with("end\n"));
    CHECK(err == "END\n");
  });
}

TEST_CASE("what a program does not read yet is kept and follows") {
  World().run([](World& world) -> Task<> {
    std::string out, err;
    AttendedChild program(world.loop, world.shell("read -r line; echo go; wc -c"), 0ms, nullptr, into(out), into(err));
    program.send("first\n");
    program.send(std::string(1'000'000, 'x'));
    program.send("y");
    CHECK(program.unsent() > 0);
    while (program.unsent() > 0) co_await program.news();
    program.close_input();
    while (!program.child().exit()) co_await program.news();
    co_await program.end(0ms);
    CHECK(out == "go\n1000001\n");
  });
}

TEST_CASE("what is sent to a program that closed its input is lost, and the program goes on") {
  World().run([](World& world) -> Task<> {
    std::string out, err;
    AttendedChild program(world.loop, world.shell("exec 0<&-; echo closed; sleep 300"), 0ms, nullptr, into(out), into(err));
    while (out.empty() || program.child().pid() < 0) co_await program.news();
    program.send("lost\n");
    program.send("lost too\n");
    CHECK(program.unsent() == 0);
    CHECK(program.child().running());
    co_await program.end(1s);
    CHECK(program.child().exit()->signal == SIGTERM);
  });
}

}  // namespace sa
