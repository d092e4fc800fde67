// One run's stage: the daemon, the oracle's readers, a relay, and the instances that the acts play with. It knows what it may
// expect of each: which agents are well, which readers were hindered. Main thread only; it goes in the reverse order of its
// members.
#pragma once

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "acts.h"
#include "orphans.h"
#include "small_disk.h"
#include "support/acp.h"
#include "support/cutting_relay.h"
#include "support/files.h"
#include "support/oracle.h"
#include "support/survivors.h"

namespace chaos {

// An instance, or the place for one.
struct Slot {
  Slot(const rig::Daemon& daemon, std::string name) : id(std::move(name)), acp(daemon, id) {}

  std::string id;
  rig::Acp acp;
  std::string instance;             // empty: there is none
  rig::Sighting agent;              // of that instance
  rig::Sighting supervisor;         // of that agent
  std::vector<rig::Sighting> tree;  // that the agent had when something happened to it
  std::uint64_t accepted = 0;       // messages that must reach the agent, if it stays well
  bool is_dead = false;             // only DELETE is left for it
};

struct Watcher {
  rig::Oracle::Reader reader;
  Slot* slot;
  std::string instance;        // that it joined
  bool may_have_gaps = false;  // somebody hindered it, or rings are small
  bool may_lag = false;        // it reads slowly, hardly, or through the relay
  bool hears_clients = false;  // all that was said to the agent
  bool is_paused = false;
  bool is_away = false;  // and will come back
  bool is_gone = false;
};

// A POST whose answer is read later.
struct Awaited {
  std::string what;
  std::uint64_t id;
  std::string instance;  // that was asked
  rig::Connection connection;
  rig::Clock::time_point asked_at = rig::Clock::now();
  bool is_read = false;
};

// What a process has of the machine.
struct Vitals {
  std::int64_t resident_kib;
  std::size_t descriptors;
  std::size_t threads;
  std::size_t children;
};
Vitals vitals_of(pid_t pid);

class World {
 public:
  World(const Flavour& flavour, std::uint64_t seed);

  // An instance that can be talked to, made if there is none or the last one is dead. False: the daemon had no room for it.
  bool ensure(Slot& slot);
  // Its answer is asked for at the end.
  void call(Slot& slot, std::string_view method, std::string_view params = "{}");
  rig::Connection ask(const Slot& slot, std::string_view body, rig::Headers headers = {});
  // A message without an answer.
  void tell(Slot& slot, std::string_view body, const rig::Headers& headers = {});
  // Ends the instance; nothing of it may be left.
  void end(Slot& slot);
  // Something happens to the agent: from now on it may fail to answer. What it has started by now must end with it.
  void harm(Slot& slot);

  Watcher& join(Slot& slot, rig::ReaderPlan plan, bool may_have_gaps);
  void leave(Watcher& watcher);
  // Those of the slot's instance that still read.
  std::vector<Watcher*> watchers_of(const Slot& slot);

  // Connections of clients that do nothing more.
  void hold(rig::Connection connection) { held_.push_back(std::move(connection)); }
  void release_held() { held_.clear(); }

  void note(std::string words);
  const std::deque<std::string>& notes() const { return notes_; }
  void take_answers();  // that have come
  // Clients may have taken every descriptor there is: then some go, and the daemon must hear the others.
  void make_room();

  void thaw();                                                            // those that were stopped
  void check_content(const std::string& name, std::string_view content);  // of a file
  // Nobody is stopped, paused or held any more.
  void let_go();
  // The same, and then everything must be right: what was said has arrived, all instances end, nothing is left.
  void come_to_rest();
  // Who was not hindered reads on without a gap, or has had the end.
  void check_readers();
  // SIGTERM in the middle: it ends in time, every stream has a proper end and every request an answer.
  void stop();
  // SIGKILL in the middle: nothing outlives it.
  void kill();
  // Of the streams so far.
  std::vector<std::string> faults();
  // Takes the daemon its memory, then asks for some: it must end, say why, and leave nothing.
  void starve();

  const Flavour flavour;
  SmallDisk disk;
  rig::Daemon daemon;
  rig::Oracle oracle;
  rig::CuttingRelay relay;
  rig::Files files;
  std::vector<Slot> places;
  std::vector<rig::Sighting> stopped;  // by SIGSTOP

 private:
  void check_streams();
  void check_gaps(const Watcher& watcher, const rig::ReaderReport& report);
  void check_still_open(const Watcher& watcher, const rig::ReaderReport& report);
  void end_all();
  void check_leftovers();
  void check_all_gone();  // supervisors, too
  // An agent that died leaves nobody waiting, whoever ends the instance later.
  void check_dead(const Slot& slot);
  void check_answer(Awaited& awaited, rig::milliseconds patience);
  void check_heard(const Slot& slot);
  void check_observers(const Slot& slot);
  void check_files();
  // Whether requests to this instance must be answered by its agent.
  bool is_well(const std::string& instance) const;
  bool is_free(const Slot& slot);
  void note_tree(Slot& slot);
  bool is_heard(rig::milliseconds patience) const;
  bool may_be_refused() const { return flavour.descriptors.has_value(); }

  std::deque<Watcher> watchers_;
  std::vector<Awaited> awaited_;
  std::set<std::string> harmed_;  // instances
  bool is_ending_ = false;
  std::uint64_t next_id_ = 10'000'000;  // apart from those of Acp
  std::vector<rig::Connection> held_;
  std::deque<std::string> notes_;
  rig::Clock::time_point start_ = rig::Clock::now();
  std::size_t idle_descriptors_;
  Orphans orphans_;
};

}  // namespace chaos
