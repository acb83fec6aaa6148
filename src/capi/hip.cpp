// The calls of libvmaf_hip.h.
#include <cerrno>
#include <cstdio>
#include <libvmaf/libvmaf_hip.h>
#include <string>

#include <hipvmaf/device.hpp>

#include "capi/border.hpp"
#include "capi/context.hpp"
#include "capi/log.hpp"
#include "engine/dispatch_plan.hpp"

struct VmafHipState {
  int device;
};

using namespace hipvmaf;

int vmaf_hip_available() { return gpu_platform() == "none" ? 0 : 1; }

int vmaf_hip_state_init(VmafHipState** out, VmafHipConfiguration cfg) {
  if (out == nullptr || cfg.device_index < -1 || cfg.flags != 0) return -EINVAL;
  if (vmaf_hip_available() == 0) return -ENOSYS;
  return capi::guarded(capi::log_without_context(), [&] {
    const DeviceChoice choice = find_device(Backend::hip, cfg.device_index);
    if (choice.index < 0) throw Error(ErrorCode::device, choice.problem);
    *out = new VmafHipState{choice.index};
  });
}

int vmaf_hip_import_state(VmafContext* vmaf, VmafHipState* state) {
  if (vmaf == nullptr || state == nullptr) return -EINVAL;
  return capi::guarded(vmaf->log(), [&] { vmaf->use_device(state->device); });
}

void vmaf_hip_state_free(VmafHipState** state) {
  if (state == nullptr) return;
  delete *state;
  *state = nullptr;
}

int vmaf_hip_list_devices() {
  if (vmaf_hip_available() == 0) return -ENOSYS;
  int count = 0;
  const int status = capi::guarded(capi::log_without_context(), [&] {
    const DeviceList list = list_devices();
    const std::string text = describe(list);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      throw Error(ErrorCode::io, "cannot write to standard output");
    count = static_cast<int>(list.devices.size());
  });
  return status != 0 ? status : count;
}
