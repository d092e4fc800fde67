// What is usual: requests, long answers, questions of the agent, files.
#include <doctest/doctest.h>

#include "world.h"

namespace chaos {
namespace {

using namespace rig;

std::string number_params(std::string_view name, std::uint64_t value, std::string_view more = {}) {
  return "{\"" + std::string(name) + "\":" + std::to_string(value) + std::string(more) + "}";
}

void echo(World& world, Slot& slot, Dice&) {
  if (world.ensure(slot)) world.call(slot, "echo");
}

void burst(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot)) return;
  world.call(slot, "burst",
             number_params("count", dice.between(1, 3000), R"(,"bytes":)" + std::to_string(dice.between(60, 600))));
}

void series(World& world, Slot& slot, Dice& dice) {
  if (world.ensure(slot)) world.call(slot, "paced", number_params("count", dice.between(100, 2000), R"(,"rate":2000)"));
}

void long_answer(World& world, Slot& slot, Dice& dice) {
  if (world.ensure(slot)) world.call(slot, "big", number_params("bytes", dice.between(1, 900'000)));
}

void late_answer(World& world, Slot& slot, Dice& dice) {
  if (world.ensure(slot)) world.call(slot, "slow", number_params("ms", dice.between(1, 800)));
}

void question(World& world, Slot& slot, Dice&) {
  if (world.ensure(slot)) world.call(slot, "ask");
}

void word(World& world, Slot& slot, Dice&) {
  if (world.ensure(slot)) world.tell(slot, rpc_notification("echo"));
}

void asynchronous(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot)) return;
  static std::uint64_t next_id = 1'000'000;
  const auto body = rpc_request(std::to_string(++next_id), "burst", number_params("count", dice.between(1, 500)));
  world.tell(slot, body, {{"Prefer", "respond-async"}});
}

void file(World& world, Slot&, Dice& dice) {
  const std::string content(dice.between(0, 300'000), static_cast<char>('a' + dice.between(0, 25)));
  const auto name = "file-" + std::to_string(dice.between(0, 3));
  const auto status = world.files.upload(name, content).status;
  if (world.flavour.descriptors && status == 503) return;
  CHECK((status == 200 || status == 201));
  world.check_content(name, content);
}

void listing(World& world, Slot&, Dice&) {
  const auto status = Api(world.daemon).get("/v1/acp").status;
  CHECK((status == 200 || (status == 503 && world.flavour.descriptors)));
}

constexpr Act rows[] = {
    {"echo", 6, echo},
    {"burst", 12, burst},
    {"series", 6, series},
    {"long answer", 5, long_answer},
    {"late answer", 4, late_answer},
    {"question", 3, question},
    {"notification", 3, word},
    {"asynchronous", 4, asynchronous},
    {"file", 3, file},
    {"listing", 3, listing},
};

}  // namespace

std::span<const Act> talking() { return rows; }

}  // namespace chaos
