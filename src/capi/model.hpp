// VmafModel and VmafModelCollection.
#pragma once

#include <libvmaf/model.h>
#include <string>
#include <vector>

#include <hipvmaf/model.hpp>
#include <hipvmaf/session.hpp>

#include "capi/score_book.hpp"

struct VmafModel {
  std::string origin;
  hipvmaf::Model model;
  std::vector<hipvmaf::Session::Overload> overloads;
};

struct VmafModelCollection {
  std::string origin;
  std::string name;
  std::vector<hipvmaf::Model> members;
  std::vector<hipvmaf::Session::Overload> overloads;
};

namespace hipvmaf::capi {

/// As the score book knows them. Throw Error(invalid_option) for overloads that do not parse.
[[nodiscard]] ScoredModel scored(const VmafModel& model);
[[nodiscard]] ScoredCollection scored(const VmafModelCollection& collection);

/// What a session measures for them.
[[nodiscard]] LoadedModel loaded(const VmafModel& model);
[[nodiscard]] LoadedModel loaded(const VmafModelCollection& collection);

}  // namespace hipvmaf::capi
