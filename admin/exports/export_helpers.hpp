// Threads that help those who make exports, so that two topologies of one are written at a time.
//
// Nobody depends on them: who is not helped makes all of it on its own thread. They are few, all
// exports are helped in turn, a portion each, and they get less processor time than whoever else
// has something to do.
//
// Failure: where there is no memory or no thread for it, nobody is helped. Thread: any.
#pragma once

#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace netml::admin {

class ExportHelpers {
 public:
  // Somebody who can be helped.
  class Helped {
   public:
    // Does a portion of the work; whether there is more to do now. Called by one helper at a time.
    virtual bool help() noexcept = 0;

   protected:
    ~Helped() = default;
  };

  // As many as this machine has processors to spare: none, one or two.
  ExportHelpers();
  // At most so many threads, which are started when there is something to do.
  explicit ExportHelpers(unsigned threads_max) : threads_max_(threads_max) {}
  ~ExportHelpers();
  ExportHelpers(const ExportHelpers&) = delete;
  ExportHelpers& operator=(const ExportHelpers&) = delete;

  // There is something to do: calls help() soon, until it says that there is not.
  void offer(Helped& work) noexcept;
  // Waits for help() where it is being called; afterwards it is not called any more.
  void withdraw(Helped& work) noexcept;

 private:
  struct Entry {
    Helped* work;
    bool again = false;      // offered while it was being helped
    bool withdrawn = false;  // while it was being helped
  };
  using Entries = std::list<Entry>;  // moved from one to the other, which takes no memory

  void run();
  static Entries::iterator find(Entries& entries, const Helped& work);

  const unsigned threads_max_;
  std::mutex mutex_;
  std::condition_variable offered_;  // or the end has come
  std::condition_variable helped_;   // one call of help() has ended
  // All below guarded by mutex_.
  Entries waiting_;
  Entries being_helped_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace netml::admin
