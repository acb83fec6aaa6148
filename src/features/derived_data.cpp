#include "features/derived_data.hpp"

#include <map>

namespace hipvmaf {

struct DerivedData::State {
  std::mutex mutex;
  std::map<std::pair<std::type_index, int>, Entry> entries;  // entries stay where they are
};

DerivedData::DerivedData() : state_(std::make_shared<State>()) {}

DerivedData::Entry& DerivedData::entry_of(std::type_index type, int key) const {
  const std::lock_guard lock(state_->mutex);
  return state_->entries[{type, key}];
}

}  // namespace hipvmaf
