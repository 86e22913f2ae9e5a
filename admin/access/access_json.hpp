// JSON shapes of tokens and accounts (docs/control-api.md).
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>

#include "engine/catalog/catalog.hpp"

namespace netml::admin {

boost::json::object token_json(std::uint64_t number, const engine::Token& token);
boost::json::object account_json(std::uint64_t number, const engine::Account& account);

}  // namespace netml::admin
