// Whether the client of a request still waits for the answer. Work that takes long asks now and
// then, and ends when nobody will read what it makes. A client that has closed its sending side
// counts as gone: hardly any does that and still waits.
//
// Thread: any, while the request is being answered.
#pragma once

namespace netml::net {

class ClientPresence {
 public:
  ClientPresence() = default;  // of a request that came by no connection: never leaves
  explicit ClientPresence(int socket) : socket_(socket) {}

  bool has_left() const;

 private:
  int socket_ = -1;
};

}  // namespace netml::net
