// JSON as a tree that keeps what a model file needs and most JSON libraries drop: the order of
// keys, repeated keys, and numbers as they are written.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hipvmaf {

struct JsonNode {
  enum class Type { null, boolean, number, string, array, object };

  Type type = Type::null;
  bool truth = false;               ///< Of a boolean.
  std::string text{};               ///< Of a string; of a number its digits, with a decimal point.
  std::vector<std::string> keys{};  ///< Of an object: one for each item, in file order.
  std::vector<JsonNode> items{};    ///< Of an array or an object.

  /// Of an object: the first member of that key.
  [[nodiscard]] std::optional<std::size_t> index_of(std::string_view key) const;
  [[nodiscard]] const JsonNode* find(std::string_view key) const;
};

/// Limits that keep hostile text from exhausting stack or memory; real model files are far below.
inline constexpr std::size_t kMaxJsonDepth = 32;
inline constexpr std::size_t kMaxJsonNodes = 200'000;

/// Parses the JSON value that begins `text`; what follows it is ignored. `origin` names the text in
/// errors. Throws Error(bad_model) for a syntax error, text that is not UTF-8, a number beyond
/// binary64, or a breach of the limits.
[[nodiscard]] JsonNode parse_json(std::string_view text, std::string_view origin);

/// A node and where it is, so that whoever reads it can say what is wrong with it.
class JsonCursor {
 public:
  JsonCursor(const JsonNode& node, std::string_view origin) : node_(&node), origin_(origin) {}

  [[nodiscard]] const JsonNode& node() const { return *node_; }
  [[nodiscard]] bool is(JsonNode::Type type) const { return node_->type == type; }
  [[nodiscard]] std::size_t size() const { return node_->items.size(); }
  /// Key of the i-th member of an object.
  [[nodiscard]] const std::string& key(std::size_t i) const { return node_->keys[i]; }
  /// i-th member of an object or element of an array.
  [[nodiscard]] JsonCursor operator[](std::size_t i) const;

  /// "model.json: model_dict.slopes[2]"
  [[nodiscard]] std::string where() const;

  /// The node's value; Error(bad_model) if it has another type.
  void require(JsonNode::Type type) const;
  [[nodiscard]] double number() const;
  [[nodiscard]] const std::string& string() const;
  [[nodiscard]] bool boolean() const;
  /// All elements of an array of numbers, which may hold `at_most`.
  [[nodiscard]] std::vector<double> numbers(std::size_t at_most) const;

  /// Throws Error(bad_model) that begins with where().
  [[noreturn]] void fail(std::string_view problem) const;

 private:
  const JsonNode* node_;
  std::string_view origin_;
  std::string path_;
};

}  // namespace hipvmaf
