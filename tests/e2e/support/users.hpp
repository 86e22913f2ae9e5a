// Users of a node that each own something in it, know from the answers what must be there, and can
// tell after a restart whether it is (P1, P2).
//
// Thread: each user one at a time; different users at the same time.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "tests/e2e/support/node.hpp"

namespace netml::e2e {

// The ways into one life of a server.
struct Doors {
  Client control;
  Client importing;  // with an import token
  Client polling;    // with a polling token
};

class User {
 public:
  virtual ~User() = default;
  // One request, and its answer written down. False when no answer came: what was asked for may
  // have been done or not.
  virtual bool ask(const Doors& doors) = 0;
  // All that was answered is there, and what was not is there whole or not at all. Fails the
  // running test.
  virtual void check(const Doors& doors) = 0;

  int answered() const { return answered_; }
  virtual bool makes_changes() const { return true; }
  int kept_unanswered() const { return kept_unanswered_; }  // done, as it turned out later

 protected:
  int answered_ = 0;
  int kept_unanswered_ = 0;
};

// Two states of one map, and the id of the topology that holds all of it.
struct TwoMaps {
  std::string root;
  std::array<std::string, 2> files;
};
TwoMaps small_map(int number);

// Replaces the map by its other state, again and again. What an export of each looks like it learns
// from the server behind `doors`.
std::unique_ptr<User> make_importer(TwoMaps map, const Doors& doors);
// Creates and deletes a token of its own.
std::unique_ptr<User> make_editor(int number);
// Publishes, and deletes what it published before.
std::unique_ptr<User> make_publisher(int number);
// Exports; no state that it was shown may be gone after a restart (S1).
std::unique_ptr<User> make_reader();
// Takes checkpoints.
std::unique_ptr<User> make_keeper();

}  // namespace netml::e2e
