// Decimation on a GPU. A thread filters one column that a decimated sample needs vertically, into
// shared memory; then a thread per sample adds its columns. Scaled samples are made where they are
// read. The local mean of a decimated sample takes one thread.
#include <cstdint>
#include <string>

#include "features/speed/speed_decimation.hpp"
#include "features/speed/speed_decimation_gpu.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::speed {
namespace {

constexpr int kThreads = 256;

template <class Sample>
struct Sources {
  DeviceSource<Sample> pictures[kMostPictures];
};

/// How samples of the scaled picture come about.
struct Unscaled {
  template <class Picture>
  __device__ float sample(const Picture& picture, int x, int y) const {
    return picture(x, y);
  }
};
template <resample::Method kMethod>
struct Scaled {
  resample::Axes axes;

  template <class Picture>
  __device__ float sample(const Picture& picture, int x, int y) const {
    return resample::scaled_sample<kMethod>(picture, axes, x, y);
  }
};

/// Index that tap k of a filter around sample `centre` of `length` falls on.
__device__ int tap_place(int taps, int k, int centre, int length) {
  return resample::mirrored(centre - taps / 2 + k, length);
}

/// Blocks have kThreads / taps columns of one row of one picture.
template <class Sample, class Scaling>
__global__ void __launch_bounds__(kThreads)
    decimate_sources(Sources<Sample> sources, Scaling scaling, gpu::Size scaled,
                     gpu::View1D<const float> low_pass, StackedPictures<float> out) {
  using SharedColumns = gpu::SharedArray<float, kThreads>;
  HIPVMAF_SHARED(SharedColumns, columns);
  const int taps = low_pass.count;
  const int per_block = kThreads / taps;
  const int rank = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * per_block;
  const int y = static_cast<int>(blockIdx.y);
  const auto picture = static_cast<int>(blockIdx.z);
  const gpu::View2D<float> made = out.picture(picture);
  const DeviceSource<Sample> source = sources.pictures[picture];

  const int of_column = first + rank / taps;
  if (rank < per_block * taps && of_column < made.width) {
    const int column = tap_place(taps, rank % taps, kDecimation * of_column, scaled.width);
    float sum = 0;
    for (int k = 0; k < taps; ++k) {
      const int row = tap_place(taps, k, kDecimation * y, scaled.height);
      sum += low_pass[k] * scaling.sample(source, column, row);
    }
    columns[rank] = sum;
  }
  __syncthreads();
  if (rank < per_block && first + rank < made.width) {
    float sum = 0;
    for (int k = 0; k < taps; ++k) sum += low_pass[k] * columns[rank * taps + k];
    made(first + rank, y) = sum;
  }
}

__global__ void __launch_bounds__(kThreads)
    subtract_local_means(StackedPictures<const float> decimated,
                         gpu::View1D<const float> local_mean, StackedPictures<float> details) {
  const int x = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y);
  const gpu::View2D<const float> samples = decimated.picture(static_cast<int>(blockIdx.z));
  if (x >= samples.width) return;
  const int taps = local_mean.count;
  float mean = 0;
  for (int i = 0; i < taps; ++i) {
    const int column = tap_place(taps, i, x, samples.width);
    float vertical = 0;
    for (int k = 0; k < taps; ++k)
      vertical += local_mean[k] * samples(column, tap_place(taps, k, y, samples.height));
    mean += local_mean[i] * vertical;
  }
  details.picture(static_cast<int>(blockIdx.z))(x, y) = samples(x, y) - mean;
}

}  // namespace

GpuDecimator::GpuDecimator(const OptionValues& options, const Geometry& geometry, int pictures)
    : geometry_(geometry),
      pictures_(pictures),
      low_pass_(gpu::make_table<float>(low_pass_taps(options))),
      local_mean_(gpu::make_table<float>(local_mean_taps(options))),
      decimated_(geometry.decimated_width(), geometry.decimated_height() * pictures),
      details_(geometry.decimated_width(), geometry.decimated_height() * pictures) {
  if (!geometry.resampled) return;
  method_ = resample::find_method(options.get<std::string>(kPrescaleMethodOption.name)).value();
  axes_.emplace(*method_, gpu::Size{geometry.source_width, geometry.source_height},
                gpu::Size{geometry.width, geometry.height});
}

template <class Sample>
StackedPictures<const float> GpuDecimator::enqueue(gpu::Stream& stream,
                                                   const DeviceSources<Sample>& sources) {
  decimate(stream, sources);
  remove_local_means(stream);
  return {details_.view().readable(), geometry_.decimated_height()};
}

template <class Sample>
void GpuDecimator::decimate(gpu::Stream& stream, const DeviceSources<Sample>& sources) {
  Sources<Sample> pictures;
  for (int i = 0; i < pictures_; ++i) pictures.pictures[i] = sources[static_cast<std::size_t>(i)];
  const gpu::View1D<const float> low_pass = low_pass_.view().readable();
  const StackedPictures<float> out{decimated_.view(), geometry_.decimated_height()};
  const gpu::Size scaled{geometry_.width, geometry_.height};
  const dim3 grid(gpu::blocks_for(out.stack.width, kThreads / low_pass.count),
                  static_cast<unsigned>(out.height), static_cast<unsigned>(pictures_));
  if (!axes_) {
    gpu::launch(stream, grid, kThreads, decimate_sources<Sample, Unscaled>, pictures, Unscaled{},
                scaled, low_pass, out);
    return;
  }
  resample::with_method(*method_, [&]<resample::Method kMethod>() {
    gpu::launch(stream, grid, kThreads, decimate_sources<Sample, Scaled<kMethod>>, pictures,
                Scaled<kMethod>{axes_->view()}, scaled, low_pass, out);
  });
}

void GpuDecimator::remove_local_means(gpu::Stream& stream) {
  const StackedPictures<float> decimated{decimated_.view(), geometry_.decimated_height()};
  const StackedPictures<float> details{details_.view(), geometry_.decimated_height()};
  const dim3 grid(gpu::blocks_for(details.stack.width, kThreads),
                  static_cast<unsigned>(details.height), static_cast<unsigned>(pictures_));
  gpu::launch(stream, grid, kThreads, subtract_local_means, decimated.readable(),
              local_mean_.view().readable(), details);
}

template StackedPictures<const float> GpuDecimator::enqueue(gpu::Stream&,
                                                            const DeviceSources<std::uint8_t>&);
template StackedPictures<const float> GpuDecimator::enqueue(gpu::Stream&,
                                                            const DeviceSources<std::uint16_t>&);

}  // namespace hipvmaf::speed
