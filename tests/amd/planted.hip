// Kernels with what scripts/check-kernels has to find. check_kernels_test compiles them for a
// device and, with the attribute for kernels defined away, for the host.
struct Agreed {
  char letter;
  double number;
};

/// Smaller on the device.
struct Disputed {
  int count;
#if !defined(__HIP_DEVICE_COMPILE__)
  int only_on_hosts;
#endif
};

HIPVMAF_KERNEL void right(Agreed agreed, int* out) { *out = agreed.letter; }

HIPVMAF_KERNEL void disputes(Disputed disputed, int* out) { *out = disputed.count; }

/// An array that is indexed at run time and too large for registers ends up in scratch memory.
HIPVMAF_KERNEL void scratches(int* out, int count) {
  int values[256];
  for (int i = 0; i < count; ++i) values[out[i] & 255] = i;
  *out = values[out[count] & 255];
}
