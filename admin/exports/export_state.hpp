// Whether peers can collect what this node exports now; if they cannot, why, and how to mend it.
// Whatever brought it about - an edit, an import, an undo, a rule, a setting - is reported here.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "admin/node/node.hpp"

namespace netml::admin {

struct ExportFault {
  std::string error_type;      // as on the wire: "NoTopologyOwnerError"
  std::uint64_t topology = 0;  // number of the one that lacks its owner; 0: it is not about one
  std::string id;              // of that
  std::string name;
  bool operator==(const ExportFault&) const = default;
};

struct ExportState {
  static constexpr std::size_t kProblemsMax = 100;

  std::vector<ExportFault> problems;  // the first kProblemsMax
  std::uint64_t problem_count = 0;    // of all
  bool empty = false;                 // there is no topology at all, so nothing could be missed

  bool ok() const { return problem_count == 0; }
  std::string reason() const;  // "GARR has no owner"; empty when all is well
  std::string remedy() const;  // what to do about it
};

// Of what the setting NETML_POLLING_DATA_SUPPLY_TYPE makes the node export.
ExportState export_state(const engine::State& state);

// Of the live data, whatever is exported.
ExportState live_export_state(const engine::Graph& graph);

// Problems of `after` that `before` has not.
ExportState new_problems(const ExportState& before, const ExportState& after);

// `ok`; when not, also `detail` ("Export fails: GARR has no owner"), `remedy`, `problems` (each
// `error_type`, and `topology` with `number`, `id` and `name`, or null), `problem_count` and
// `empty`.
boost::json::object export_state_json(const ExportState& state);

// Whether the transaction can make an export fail or work: it touches a topology, a setting or
// what is published.
bool concerns_export(const engine::Transaction& transaction);

// Remembers the state of the node's export, and logs when it comes to fail, fails otherwise, or
// works again. Thread: any.
class ExportWatch final : public VersionWatch {
 public:
  // From the newest version on, without a word on that; it is looked at when somebody asks, or when
  // there is another. The node must outlive it.
  explicit ExportWatch(Node& node);
  ~ExportWatch() override { node_.watch(nullptr); }
  ExportWatch(const ExportWatch&) = delete;
  ExportWatch& operator=(const ExportWatch&) = delete;

  bool concerns(const engine::Transaction& transaction) const override {
    return concerns_export(transaction);
  }
  // An older version than the one seen last is passed over.
  void look(const engine::State& state) override;
  // Never waits for the writer. What cannot be read is a problem like any other.
  std::shared_ptr<const ExportState> now() const;
  // The same without waiting for anything: null before somebody asked for the first time.
  std::shared_ptr<const ExportState> known() const;

 private:
  std::shared_ptr<const ExportState> known_or_first() const;
  void log(const ExportState& former, const ExportState& state);

  Node& node_;
  mutable std::mutex looking_;      // held while one looks
  Lsn seen_;                        // guarded by looking_
  mutable engine::StatePtr first_;  // until it was looked at; guarded by looking_
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const ExportState> state_;  // null: nobody has looked; guarded by mutex_
};

}  // namespace netml::admin
