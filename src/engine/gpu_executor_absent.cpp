// Stands in for gpu_executor.cpp in builds without a GPU platform, where no plan asks for it.
#include <hipvmaf/error.hpp>

#include "engine/frame_executor.hpp"

namespace hipvmaf {

std::unique_ptr<FrameExecutor> make_gpu_executor(const FeaturePlan&, const RawLayout&,
                                                 const DispatchPlan&, const PictureFormat&,
                                                 std::size_t, TaskListener&) {
  throw Error(ErrorCode::internal, "this build has no GPU support");
}

}  // namespace hipvmaf
