#include "wal/commit/writer.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/priority.hpp"

namespace netml::wal {

namespace {

constexpr const char* kShuttingDown = "shutting down";

template <class T>
std::future<T> ready(T value) {
  Answer<T> answer;
  answer.set(std::move(value));
  return answer.future();
}

// True for as long as it lives, wherever what holds it ends.
class Raised {
 public:
  explicit Raised(std::atomic<bool>& flag) : flag_(flag) { flag_ = true; }
  ~Raised() { flag_ = false; }
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;

 private:
  std::atomic<bool>& flag_;
};

}  // namespace

Writer::Writer(std::unique_ptr<Store> store, const WriterOptions& options)
    : options_(options), store_(std::move(store)), published_(store_->log().head()) {
  show_status();
  prove_start();
  background_ = std::thread([this] { work_in_background(); });
  writer_ = std::thread([this] { work(); });
}

Writer::~Writer() {
  // Nobody is left to hear of an error; what was acknowledged is durable already.
  static_cast<void>(stop(Stop::without_checkpoint).has_value());
}

// ---- from any thread ----

std::future<Result<Committed>> Writer::submit(Plan plan, std::uint64_t bytes) {
  Change change{std::move(plan), {}, {}, {}};
  std::future<Result<Committed>> answer = change.answer.future();
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return ready<Result<Committed>>(fail(Errc::unavailable, kShuttingDown));
    if (queue_.changes.size() >= options_.queue_transactions_max ||
        queued_bytes_ >= options_.queue_bytes_max)
      return ready<Result<Committed>>(fail(Errc::unavailable, "too many changes are waiting"));
    // However large one is, it leaves half to others.
    queued_bytes_ += std::min(bytes, options_.queue_bytes_max / 2);
    queue_.changes.push_back(std::move(change));
  }
  wake_writer_.notify_one();
  return answer;
}

std::future<Status> Writer::run(std::function<Status(Store&)> work) {
  return queue_task(std::move(work), Stopping::refused);
}

std::future<Status> Writer::queue_task(std::function<Status(Store&)> work, Stopping stopping) {
  Task task{std::move(work), {}};
  std::future<Status> answer = task.answer.future();
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ && stopping == Stopping::refused)
      return ready<Status>(fail(Errc::unavailable, kShuttingDown));
    queue_.tasks.push_back(std::move(task));
  }
  wake_writer_.notify_one();
  return answer;
}

Version Writer::published() const {
  const std::lock_guard lock(published_mutex_);
  return published_;
}

Result<Version> Writer::wait_for(Lsn lsn, std::chrono::nanoseconds at_most) const {
  std::unique_lock lock(published_mutex_);
  if (published_moved_.wait_for(lock, at_most, [&] { return published_.head.lsn >= lsn; }))
    return published_;
  return fail(Errc::unavailable, "LSN " + std::to_string(lsn.value) + " has not come yet");
}

WriterStatus Writer::status() const {
  const std::lock_guard lock(mutex_);
  WriterStatus status = status_;
  status.queued = queue_.changes.size();
  return status;
}

// The background thread ends first: what it has begun asks the writer for more.
Status Writer::stop(Stop how) {
  {
    const std::lock_guard lock(background_mutex_);
    if (!stop_background_.request_stop()) return {};  // somebody has
  }
  wake_background_.notify_one();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  background_.join();
  {
    const std::lock_guard lock(mutex_);
    queue_.last = true;
  }
  wake_writer_.notify_one();
  writer_.join();
  return close(how);
}

// Both threads have ended.
Status Writer::close(Stop how) {
  // What was met ahead of the proof, also by the last checkpoint, must be known to the next start,
  // or that would meet it, too.
  static_cast<void>(store_->note_looked().has_value());
  if (store_->write_state() != WriteState::writable)
    return fail(Errc::unavailable, store_->write_error());
  const Status closed = how == Stop::with_checkpoint ? store_->close() : store_->sync();
  if (!closed) static_cast<void>(store_->note_looked().has_value());
  return closed;
}

// ---- the writer thread ----

// Where there was no memory for answering, the answers that go away say so.
void Writer::work() {
  Idle idle = Idle::quiet;
  while (true) {
    const Result<bool> more = guarded([&]() -> Result<bool> { return work_once(idle); });
    if (more && !*more) return;
  }
}

// False at the end.
bool Writer::work_once(Idle& idle) {
  Work work = wait_for_work(idle);
  if (work.changes.empty() && work.tasks.empty()) {
    if (work.last) return false;
    idle = do_idle(idle);
    return true;
  }
  const Lsn before = store_->head_hash().lsn;
  const bool committing = !work.changes.empty();
  if (committing) commit(std::move(work.changes));
  run_tasks(std::move(work.tasks));
  note_rotation();
  start_checkpoint_if_due();
  show_status();
  if (committing || store_->head_hash().lsn != before) idle = Idle::group_done;
  return true;
}

Writer::Work Writer::wait_for_work(Idle idle) {
  const std::chrono::milliseconds limit =
      idle == Idle::group_done ? options_.watermark_delay : options_.watermark_sync_delay;
  Work work;  // first: what is queued stays queued when there is no memory for taking it
  std::unique_lock lock(mutex_);
  wake_writer_.wait_for(
      lock, limit, [&] { return !queue_.changes.empty() || !queue_.tasks.empty() || queue_.last; });
  queued_bytes_ = 0;
  work.changes.swap(queue_.changes);
  work.tasks.swap(queue_.tasks);
  work.last = queue_.last;
  return work;
}

// Nothing is queued: tell the journal how far it is durable, then make that durable too. Errors
// latch in the store, which is where they are seen. Within a transaction, of which a member of a
// cluster may have a part, it waits for the rest.
Writer::Idle Writer::do_idle(Idle idle) {
  if (store_->write_state() == WriteState::no_space)
    static_cast<void>(store_->resume().has_value());
  else if (idle == Idle::group_done && store_->log().ends_at_head())
    static_cast<void>(store_->watermark().has_value());
  else if (idle == Idle::marked)
    static_cast<void>(store_->sync().has_value());
  start_checkpoint_if_due();
  show_status();
  return idle == Idle::group_done ? Idle::marked : Idle::quiet;
}

// For whoever reads from now on.
void Writer::publish_version(Version head) {
  {
    const std::lock_guard lock(published_mutex_);
    std::swap(published_, head);  // the old one dies after the lock is released
  }
  published_moved_.notify_all();
}

// A task of a follower takes the head along. Only this thread changes what is published.
void Writer::publish_moved() {
  const Version& head = store_->log().head();
  if (head.head.lsn == published_.head.lsn) return;
  publish_version(head);
  if (options_.after_commit) options_.after_commit();
}

// A change that met damage is not wrong: it may come again after the start that does without what
// is damaged.
void Writer::put_off_damaged(std::deque<Change>& group) const {
  for (Change& change : group)
    if (!change.lsn && change.lsn.error().code == Errc::corruption)
      change.lsn = fail(Errc::unavailable, "read-only: " + store_->log().write_error());
}

void Writer::count_group(std::ptrdiff_t transactions) {
  const std::lock_guard lock(mutex_);
  status_.head = store_->head_hash();
  status_.transactions += static_cast<std::uint64_t>(transactions);
  ++status_.groups;
}

void Writer::run_tasks(std::deque<Task> tasks) {
  for (Task& task : tasks) {
    Status done = guarded([&] { return task.work(*store_); });
    publish_moved();
    show_status();  // who is answered sees what was done
    task.answer.set(std::move(done));
  }
}

void Writer::show_status() {
  const std::lock_guard lock(mutex_);
  status_.write_state = store_->write_state();
  status_.write_error = store_->write_error();
  status_.head = store_->head_hash();
  status_.journal_bytes = store_->checkpoints().journal_bytes();
  status_.format = store_->manifest().format;
  status_.start_proof = store_->start_proof();
  const std::vector<CheckpointEntry>& checkpoints = store_->manifest().checkpoints;
  if (status_.checkpoints == nullptr || *status_.checkpoints != checkpoints)
    status_.checkpoints = std::make_shared<const std::vector<CheckpointEntry>>(checkpoints);
}

// ---- checkpoints ----

void Writer::note_rotation() {
  const std::size_t segments = store_->manifest().segments.size();
  if (segments > segments_ && options_.after_rotation)
    post_background([this] { options_.after_rotation(*this); });
  segments_ = segments;
}

void Writer::start_checkpoint_if_due() {
  if (checkpoint_running_ || store_->write_state() != WriteState::writable ||
      !store_->checkpoints().due())
    return;
  // A failed one leaves the old one in place; it is tried again after the usual interval.
  store_->checkpoints().note_tried();
  post_background([this, running = std::make_shared<Raised>(checkpoint_running_)] {
    Result<Lsn> installed = guarded([&] { return write_and_install(&CheckpointSet::install); });
    {
      const std::lock_guard lock(mutex_);
      status_.checkpoint_error = installed ? std::string() : std::move(installed).error().message;
    }
    if (options_.after_checkpoint) options_.after_checkpoint();
  });
}

// What the node shows from its start on lies in a file that nobody has read yet as a whole.
void Writer::prove_start() {
  if (store_->unproved() == nullptr) return;
  post_background([this, file = store_->unproved()] {
    const Status proof = file->prove(stop_background_.get_token());
    if (!proof && proof.error().code == Errc::unavailable) return;
    // Damage shows as the write error of the store.
    static_cast<void>(ask([&](Store& store) { return store.note_proof(proof); }).get().has_value());
  });
}

std::future<Status> Writer::checkpoint() {
  return from_background<Status>([this] {
    Status taken = write_and_install(&CheckpointSet::install).map([](Lsn) {});
    if (options_.after_checkpoint) options_.after_checkpoint();
    return taken;
  });
}

std::future<Result<Lsn>> Writer::publish() {
  return from_background<Result<Lsn>>(
      [this] { return write_and_install(&CheckpointSet::publish); });
}

// What `work` gives there.
template <class T>
std::future<T> Writer::from_background(std::function<T()> work) {
  auto answer = std::make_shared<Answer<T>>();
  std::future<T> result = answer->future();
  if (!post_background([answer, work = std::move(work)] { answer->set(work()); }))
    answer->set(fail(Errc::unavailable, kShuttingDown));
  return result;
}

// Background thread: asks the writer what to write, writes it, and lets the writer install it.
Result<Lsn> Writer::write_and_install(Install install) {
  CheckpointSource source;
  NETML_TRY_VOID(ask([&](Store& store) -> Status {
                   if (store.start_proof().step == StartProof::Step::damaged)
                     return fail(Errc::unavailable, store.write_error());
                   source = store.checkpoints().source();
                   return {};
                 }).get());
  NETML_TRY(const CheckpointFiles files,
            guarded([&] { return store_->checkpoints().write(source); }));
  NETML_TRY_VOID(ask([&](Store& store) { return (store.checkpoints().*install)(files); }).get());
  return files.lsn;
}

std::future<Status> Writer::ask(std::function<Status(Store&)> work) {
  return queue_task(std::move(work), Stopping::no_matter);
}

bool Writer::post_background(std::function<void()> work) {
  {
    const std::lock_guard lock(background_mutex_);
    if (stop_background_.stop_requested()) return false;
    background_work_.push_back(std::move(work));
  }
  wake_background_.notify_one();
  return true;
}

// Until all is done that was posted before the writer stopped.
void Writer::work_in_background() {
  give_way();
  std::unique_lock lock(background_mutex_);
  while (true) {
    wake_background_.wait(
        lock, [&] { return !background_work_.empty() || stop_background_.stop_requested(); });
    if (background_work_.empty()) return;
    const std::function<void()> work = std::move(background_work_.front());
    background_work_.pop_front();
    lock.unlock();
    // What it has to say is in the answer that it leaves.
    static_cast<void>(guarded([&]() -> Status {
                        work();
                        return {};
                      }).has_value());
    lock.lock();
  }
}

}  // namespace netml::wal
