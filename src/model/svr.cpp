#include "model/svr.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <hipvmaf/error.hpp>

#include "base/numbers.hpp"

namespace hipvmaf {
namespace {

constexpr std::size_t kMaxVectorNumbers = std::size_t{1} << 22;
constexpr std::size_t kLongestQuote = 40;

double integer_power(double base, int exponent) {
  double result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result *= base;
    base *= base;
  }
  return result;
}

double squared_distance(std::span<const double> x, const double* z) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double difference = x[j] - z[j];
    sum += difference * difference;
  }
  return sum;
}

double dot_product(std::span<const double> x, const double* z) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += x[j] * z[j];
  return sum;
}

double evaluate_kernel(const Svr& svr, std::span<const double> x, const double* z) {
  switch (svr.kernel) {
    case Svr::Kernel::linear:
      return dot_product(x, z);
    case Svr::Kernel::polynomial:
      return integer_power(svr.gamma * dot_product(x, z) + svr.coef0, svr.degree);
    case Svr::Kernel::rbf:
      return std::exp(-svr.gamma * squared_distance(x, z));
    case Svr::Kernel::sigmoid:
      return std::tanh(svr.gamma * dot_product(x, z) + svr.coef0);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// Reads the text from front to back; every failure names the line.
class Parser {
 public:
  Parser(std::string_view text, std::size_t inputs, std::string_view where)
      : rest_(text), where_(where) {
    svr_.inputs = inputs;
  }

  Svr parse() {
    if (rest_.empty()) fail("the text is empty");
    read_header();
    for (std::size_t k = 0; k < *total_; ++k) read_vector(k);
    return std::move(svr_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(ErrorCode::bad_model, fmt::format("{}, line {}: {}", where_, line_, problem));
  }

  // Header tokens are separated by exactly one space or newline.
  std::string_view header_token(std::string_view wanted) {
    if (newline_pending_) ++line_;
    newline_pending_ = false;
    if (rest_.empty()) fail(fmt::format("the text ends where {} should be", wanted));
    const std::size_t end = rest_.find_first_of(" \n");
    const std::string_view token = rest_.substr(0, end);
    newline_pending_ = end != std::string_view::npos && rest_[end] == '\n';
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return token;
  }

  double number(std::string_view token, std::string_view what) const {
    const std::optional<double> value = parse_real(token);
    if (value) return *value;
    // parse_real() refuses what underflows, which is zero here.
    const bool decimal = token.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
    if (decimal && parse_whole_float(token) == 0.0F) return 0;
    fail(fmt::format("{} is \"{}\", which is not a finite decimal number", what,
                     token.substr(0, kLongestQuote)));
  }

  long long integer(std::string_view token, std::string_view what) const {
    const std::optional<long long> value = parse_integer(token);
    if (value) return *value;
    fail(
        fmt::format("{} is \"{}\", which is not an integer", what, token.substr(0, kLongestQuote)));
  }

  void read_header() {
    for (;;) {
      const std::string_view key = header_token("SV");
      if (key == "SV") break;
      read_header_value(key);
    }
    if (!total_) fail("total_sv is missing before SV");
    if (!has_rho_) fail("rho is missing before SV");
    if (!has_type_) fail("svm_type is missing before SV");
    if (!has_kernel_) fail("kernel_type is missing before SV");
    if (!newline_pending_) fail("SV is not followed by a newline");
    ++line_;
  }

  void read_header_value(std::string_view key) {
    if (key == "svm_type") {
      read_type(header_token(key));
    } else if (key == "kernel_type") {
      read_kernel(header_token(key));
    } else if (key == "degree") {
      svr_.degree = static_cast<int>(bounded(header_token(key), key, 0, 1000));
    } else if (key == "gamma") {
      svr_.gamma = number(header_token(key), key);
    } else if (key == "coef0") {
      svr_.coef0 = number(header_token(key), key);
    } else if (key == "nr_class") {
      bounded(header_token(key), key, 2, 2);
      has_classes_ = true;
    } else if (key == "total_sv") {
      total_ = static_cast<std::size_t>(
          bounded(header_token(key), key, 1, std::numeric_limits<int>::max()));
    } else if (key == "rho") {
      if (!has_classes_) fail("rho comes before nr_class");
      svr_.rho = number(header_token(key), key);
      has_rho_ = true;
    } else {
      skip_classification_value(key);
    }
  }

  long long bounded(std::string_view token, std::string_view what, long long least,
                    long long most) const {
    const long long value = integer(token, what);
    if (value < least || value > most) {
      fail(fmt::format("{} is {}, outside {}..{}", what, value, least, most));
    }
    return value;
  }

  void read_type(std::string_view type) {
    has_type_ = true;
    svr_.one_class = type == "one_class";
    if (svr_.one_class || type == "epsilon_svr" || type == "nu_svr") return;
    const bool classifies = type == "c_svc" || type == "nu_svc";
    fail(fmt::format("svm_type \"{}\" {}", type.substr(0, kLongestQuote),
                     classifies ? "is a classifier, not a regression" : "is unknown"));
  }

  void read_kernel(std::string_view kernel) {
    has_kernel_ = true;
    if (kernel == "linear") {
      svr_.kernel = Svr::Kernel::linear;
    } else if (kernel == "polynomial") {
      svr_.kernel = Svr::Kernel::polynomial;
    } else if (kernel == "rbf") {
      svr_.kernel = Svr::Kernel::rbf;
    } else if (kernel == "sigmoid") {
      svr_.kernel = Svr::Kernel::sigmoid;
    } else {
      fail(fmt::format("kernel_type \"{}\" {}", kernel.substr(0, kLongestQuote),
                       kernel == "precomputed" ? "cannot be evaluated" : "is unknown"));
    }
  }

  // Keys that mean nothing to a regression but may be there; there are two classes.
  void skip_classification_value(std::string_view key) {
    const bool per_class = key == "label" || key == "nr_sv";
    const bool per_pair = key == "probA" || key == "probB";
    if (!per_class && !per_pair) {
      fail(fmt::format("unknown token \"{}\"", key.substr(0, kLongestQuote)));
    }
    if (!has_classes_) fail(fmt::format("{} comes before nr_class", key));
    if (per_pair) number(header_token(key), key);
    for (int i = 0; per_class && i < 2; ++i) integer(header_token(key), key);
  }

  static std::string_view next_word(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    return word;
  }

  void read_vector(std::size_t k) {
    if (rest_.empty()) {
      fail(fmt::format("the text ends after {} of {} support vectors (total_sv)", k, *total_));
    }
    std::string_view line = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
    if (svr_.vectors.size() + svr_.inputs > kMaxVectorNumbers) {
      fail(fmt::format("more than {} numbers in support vectors", kMaxVectorNumbers));
    }
    svr_.coefficients.push_back(number(next_word(line), "the coefficient"));
    svr_.vectors.resize(svr_.vectors.size() + svr_.inputs, 0.0);
    double* vector = svr_.vectors.data() + (svr_.vectors.size() - svr_.inputs);
    long long previous = 0;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      const std::size_t colon = word.find(':');
      if (colon == std::string_view::npos) {
        fail(fmt::format("\"{}\" is not index:value", word.substr(0, kLongestQuote)));
      }
      const long long index = integer(word.substr(0, colon), "an index");
      if (index <= previous) {
        fail(fmt::format("index {} after {}: indices must ascend from 1", index, previous));
      }
      if (index > static_cast<long long>(svr_.inputs)) {
        fail(fmt::format("index {}, but the model has {} features", index, svr_.inputs));
      }
      vector[index - 1] = number(word.substr(colon + 1), "a value");
      previous = index;
    }
    ++line_;
  }

  std::string_view rest_;
  std::string_view where_;
  int line_ = 1;
  bool newline_pending_ = false;
  bool has_type_ = false;
  bool has_kernel_ = false;
  bool has_classes_ = false;
  bool has_rho_ = false;
  std::optional<std::size_t> total_;
  Svr svr_;
};

}  // namespace

double Svr::predict(std::span<const double> x) const {
  double sum = 0;
  const double* vector = vectors.data();
  for (const double coefficient : coefficients) {
    sum += coefficient * evaluate_kernel(*this, x, vector);
    vector += inputs;
  }
  sum -= rho;
  if (!one_class || std::isnan(sum)) return sum;
  return sum > 0 ? 1 : -1;
}

Svr parse_svr(std::string_view text, std::size_t inputs, std::string_view where) {
  return Parser(text, inputs, where).parse();
}

}  // namespace hipvmaf
