#include "flavour.h"

namespace chaos {
namespace {

void add(Flavour& flavour, std::string words, const std::vector<std::string>& flags) {
  flavour.words += (flavour.words.empty() ? "" : ", ") + std::move(words);
  flavour.flags.insert(flavour.flags.end(), flags.begin(), flags.end());
}

}  // namespace

Flavour plain_flavour() { return {.flags = {"--stop-grace-ms", "300", "--heartbeat-ms", "200"}, .words = "plain"}; }

Flavour make_flavour(Dice& dice) {
  Flavour flavour = plain_flavour();
  flavour.words.clear();
  if (dice.one_in(3)) {
    flavour.ring_messages = dice.between(1, 2000);
    add(flavour, "small rings", {"--ring-messages", std::to_string(flavour.ring_messages)});
  }
  if (dice.one_in(3)) {
    flavour.small_memory = true;
    add(flavour, "little memory",
        {"--outbox-bytes", "1048576", "--max-line-bytes", "1048576", "--max-envelope-bytes", "1048576", "--ring-bytes",
         "1048576", "--total-ring-bytes", "4194304"});
  }
  if (dice.one_in(3)) {
    flavour.descriptors = dice.between(96, 160);
    add(flavour, "few descriptors", {});
  }
  if (dice.one_in(3)) {
    flavour.hurries_readers = true;
    add(flavour, "impatient with readers", {"--reader-stall-ms", "100", "--reader-hold-ms", "200"});
  }
  if (dice.one_in(4)) {
    flavour.short_patience = true;
    add(flavour, "impatient with agents", {"--request-timeout-ms", "300"});
  }
  if (flavour.words.empty()) flavour.words = "plain";
  return flavour;
}

}  // namespace chaos
