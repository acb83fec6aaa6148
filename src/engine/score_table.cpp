#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include <hipvmaf/error.hpp>
#include <hipvmaf/score_table.hpp>

namespace hipvmaf {

std::size_t ScoreTable::add_column(std::string stored_name, std::string printed_name) {
  if (std::ranges::find(columns_, stored_name, &Column::stored_name) != columns_.end()) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("two figures would be named {}", stored_name));
  }
  columns_.push_back({std::move(stored_name), std::move(printed_name), {}, {}});
  return columns_.size() - 1;
}

std::optional<std::size_t> ScoreTable::find(std::string_view name) const {
  auto at = std::ranges::find(columns_, name, &Column::stored_name);
  if (at == columns_.end()) at = std::ranges::find(columns_, name, &Column::printed_name);
  if (at == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - columns_.begin());
}

void ScoreTable::set(std::size_t column, std::int64_t frame, double value) {
  Column& target = columns_[column];
  const auto i = static_cast<std::size_t>(frame);
  if (i >= target.values.size()) {
    target.values.resize(i + 1);
    target.present.resize(i + 1);
  }
  if (target.present[i]) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} of frame {} has a value already", target.stored_name, frame));
  }
  target.values[i] = value;
  target.present[i] = true;
  frame_end_ = std::max(frame_end_, frame + 1);
}

std::optional<double> ScoreTable::get(std::size_t column, std::int64_t frame) const {
  const Column& source = columns_[column];
  const auto i = static_cast<std::size_t>(frame);
  if (frame < 0 || i >= source.values.size() || !source.present[i]) return std::nullopt;
  return source.values[i];
}

void ScoreTable::set_aggregate(std::string_view name, double value) {
  const auto at = std::ranges::find(aggregates_, name, &std::pair<std::string, double>::first);
  if (at == aggregates_.end()) {
    aggregates_.emplace_back(name, value);
  } else if (std::bit_cast<std::uint64_t>(at->second) != std::bit_cast<std::uint64_t>(value)) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("aggregate {} has another value already", name));
  }
}

}  // namespace hipvmaf
