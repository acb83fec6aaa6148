#include <vector>

#include "features/ssimulacra2/ssimulacra2_sums_gpu.hpp"

namespace hipvmaf::ssimulacra2 {
namespace {

std::vector<int> sizes_of(std::span<const ErrorMap> maps) {
  std::vector<int> sizes;
  for (const ErrorMap& map : maps) sizes.push_back(map.pixels);
  return sizes;
}

std::vector<ErrorTerms> terms_of(std::span<const ErrorMap> maps) {
  std::vector<ErrorTerms> terms;
  for (const ErrorMap& map : maps) terms.push_back({map.of_edges});
  return terms;
}

/// A block per map, a thread per sum.
__global__ void __launch_bounds__(ErrorTerms::kSums)
    store_sums(gpu::View1D<const ErrorMap> maps, gpu::View1D<const double> totals,
               gpu::View1D<Ssimulacra2Raw> raw) {
  const int index = static_cast<int>(blockIdx.x);
  const int sum = static_cast<int>(threadIdx.x);
  const ErrorMap map = maps[index];
  if (sum >= ErrorTerms{map.of_edges}.sums()) return;
  Ssimulacra2Sums& sums =
      raw[0].sums[static_cast<std::size_t>(map.channel)][static_cast<std::size_t>(map.scale)];
  const auto error = static_cast<std::size_t>((map.of_edges ? 1 : 0) + sum / 2);
  (sum % 2 == 0 ? sums.error[error] : sums.fourth_power[error]) =
      totals[index * ErrorTerms::kSums + sum];
}

}  // namespace

ErrorSums::ErrorSums(std::span<const ErrorMap> maps)
    : sums_(sizes_of(maps), terms_of(maps)),
      maps_(gpu::make_table<ErrorMap>(maps)),
      totals_(static_cast<int>(maps.size()) * ErrorTerms::kSums) {}

void ErrorSums::add(gpu::Stream& stream, gpu::View1D<Ssimulacra2Raw> raw) const {
  sums_.add(stream, totals_.view());
  gpu::launch(stream, static_cast<unsigned>(maps_.count()), ErrorTerms::kSums, store_sums,
              maps_.view().readable(), totals_.view().readable(), raw);
}

}  // namespace hipvmaf::ssimulacra2
