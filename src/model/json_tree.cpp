#include "model/json_tree.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"

namespace hipvmaf {
namespace {

using Type = JsonNode::Type;

constexpr std::size_t kLongestQuote = 160;

std::string_view name_of(Type type) {
  constexpr std::array<std::string_view, 6> kNames{"null",     "a boolean", "a number",
                                                   "a string", "an array",  "an object"};
  return kNames[static_cast<std::size_t>(type)];
}

// Builds the tree from nlohmann-json's events. The virtual functions of the base class are not used
// by the parser for input that is text; they complete the interface.
class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return add({}); }
  bool boolean(bool value) override { return add({.type = Type::boolean, .truth = value}); }
  bool number_integer(number_integer_t value) override {
    // The parser takes this path for a minus sign, so that zero was written "-0".
    return add_number(value == 0 ? "-0" : std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add_number(std::to_string(value));
  }
  bool number_float(number_float_t, const string_t& digits) override {
    // The parser writes the decimal point of the process's locale into the digits.
    std::string number = digits;
    std::ranges::replace_if(
        number,
        [](char c) { return std::string_view("0123456789+-eE").find(c) == std::string_view::npos; },
        '.');
    return add_number(std::move(number));
  }
  bool string(string_t& value) override {
    return add({.type = Type::string, .text = std::move(value)});
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Type::object); }
  bool key(string_t& value) override {
    open_.back()->keys.push_back(std::move(value));
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Type::array); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::json::exception& exception) override {
    std::string_view what = exception.what();
    what.remove_prefix(std::min(what.find("] ") + 2, what.size()));  // "[json.exception...] "
    problem_ = what.substr(0, kLongestQuote);
    return false;
  }

  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] JsonNode take() { return std::move(root_); }

 private:
  bool add_number(std::string digits) {
    return add({.type = Type::number, .text = std::move(digits)});
  }

  bool add(JsonNode node) {
    if (++nodes_ > kMaxJsonNodes) {
      problem_ = fmt::format("more than {} values", kMaxJsonNodes);
      return false;
    }
    if (open_.empty()) {
      root_ = std::move(node);
    } else {
      open_.back()->items.push_back(std::move(node));
    }
    return true;
  }

  // Pointers to open nodes stay valid: a node's items do not grow while one of them is open.
  bool open(Type type) {
    if (open_.size() == kMaxJsonDepth) {
      problem_ = fmt::format("nested deeper than {} levels", kMaxJsonDepth);
      return false;
    }
    if (!add({.type = type})) return false;
    open_.push_back(open_.empty() ? &root_ : &open_.back()->items.back());
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  JsonNode root_;
  std::vector<JsonNode*> open_;
  std::size_t nodes_ = 0;
  std::string problem_;
};

}  // namespace

std::optional<std::size_t> JsonNode::index_of(std::string_view key) const {
  const auto at = std::ranges::find(keys, key);
  if (at == keys.end()) return std::nullopt;
  return static_cast<std::size_t>(at - keys.begin());
}

const JsonNode* JsonNode::find(std::string_view key) const {
  const auto index = index_of(key);
  return index ? &items[*index] : nullptr;
}

JsonNode parse_json(std::string_view text, std::string_view origin) {
  TreeBuilder builder;
  constexpr bool kWholeText = false;
  if (!nlohmann::json::sax_parse(text, &builder, nlohmann::json::input_format_t::json,
                                 kWholeText)) {
    throw Error(ErrorCode::bad_model,
                fmt::format("{}: not a JSON model file: {}", origin, builder.problem()));
  }
  return builder.take();
}

JsonCursor JsonCursor::operator[](std::size_t i) const {
  JsonCursor item = *this;
  item.node_ = &node_->items[i];
  if (is(Type::array)) {
    item.path_ += fmt::format("[{}]", i);
  } else {
    if (!path_.empty()) item.path_ += '.';
    item.path_ += node_->keys[i].substr(0, kLongestQuote);
  }
  return item;
}

std::string JsonCursor::where() const {
  return path_.empty() ? std::string(origin_) : fmt::format("{}: {}", origin_, path_);
}

void JsonCursor::fail(std::string_view problem) const {
  throw Error(ErrorCode::bad_model, fmt::format("{}: {}", where(), problem));
}

void JsonCursor::require(Type type) const {
  if (is(type)) return;
  fail(fmt::format("expected {}, found {}", name_of(type), name_of(node_->type)));
}

double JsonCursor::number() const {
  require(Type::number);
  return leading_real(node_->text);
}

const std::string& JsonCursor::string() const {
  require(Type::string);
  return node_->text;
}

bool JsonCursor::boolean() const {
  require(Type::boolean);
  return node_->truth;
}

std::vector<double> JsonCursor::numbers(std::size_t at_most) const {
  require(Type::array);
  if (size() > at_most) fail(fmt::format("{} numbers, at most {} are allowed", size(), at_most));
  std::vector<double> values;
  values.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) values.push_back((*this)[i].number());
  return values;
}

}  // namespace hipvmaf
