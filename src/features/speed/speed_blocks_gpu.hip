// The statistics of SpEED's blocks on a GPU, all pictures in the same launches: the means of the 25
// samples of a block, a lane each; the entries of the covariance, a lane each; its eigenvalues in
// one block of threads and its QR decomposition in another; then the blocks, a thread each. Sums
// run in the order that speed_covariance.hpp, speed_eigen.hpp and speed_solve.hpp define, so the
// long ones are serial, and many frames have to be in flight to fill a device.
#include <cmath>

#include "features/speed/speed_blocks_gpu.hpp"
#include "features/speed/speed_matrix_math.hpp"
#include "features/speed/speed_tridiagonal_math.hpp"
#include "gpu/kernel.hpp"

namespace hipvmaf::speed {
namespace {

constexpr int kSide = kBlockSamples;  // of the matrices
constexpr int kElements = kSide * kSide;

// ---- Means and covariance ----

/// Threads of a block of serial sums.
constexpr int kLanes = 32;

__global__ void __launch_bounds__(kLanes)
    find_means(StackedPictures<const float> details, Geometry geometry,
               gpu::View1D<PictureModel> models) {
  const int a = static_cast<int>(threadIdx.x);
  const auto picture = static_cast<int>(blockIdx.x);
  if (a >= kBlockSamples) return;
  const gpu::View2D<const float> samples = details.picture(picture);
  const int columns = geometry.window_columns();
  const int rows = geometry.window_rows();
  float sum = 0;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) sum += samples(x + a % kBlockSide, y + a / kBlockSide);
  }
  models[picture].means[a] = sum / static_cast<float>(rows * columns);
}

/// Entries on and above the diagonal, as the diagonal and the rows right of it.
constexpr int kEntries = kSide * (kSide + 1) / 2;

struct Entry {
  int row;
  int column;
};
__device__ Entry entry_of(int number) {
  int row = 0;
  while (number >= kSide - row) {
    number -= kSide - row;
    ++row;
  }
  return {row, row + number};
}

__global__ void __launch_bounds__(kLanes)
    find_covariances(StackedPictures<const float> details, Geometry geometry,
                     gpu::View1D<PictureModel> models) {
  const int number = static_cast<int>(blockIdx.x) * kLanes + static_cast<int>(threadIdx.x);
  if (number >= kEntries) return;
  const auto picture = static_cast<int>(blockIdx.y);
  const auto [a, b] = entry_of(number);
  const gpu::View2D<const float> samples = details.picture(picture);
  PictureModel& model = models[picture];
  const auto mean_a = static_cast<double>(model.means[a]);
  const auto mean_b = static_cast<double>(model.means[b]);
  const int columns = geometry.window_columns();
  const int rows = geometry.window_rows();
  double sum = 0;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const float sample_a = samples(x + a % kBlockSide, y + a / kBlockSide);
      const float sample_b = samples(x + b % kBlockSide, y + b / kBlockSide);
      sum += (static_cast<double>(sample_a) - mean_a) * (static_cast<double>(sample_b) - mean_b);
    }
  }
  const auto covariance = static_cast<float>(sum / static_cast<double>(rows * columns));
  model.covariance(a, b) = covariance;
  model.covariance(b, a) = covariance;
}

// ---- Matrices ----

/// A thread per element.
constexpr int kMatrixThreads = (kElements + gpu::kGroup - 1) / gpu::kGroup * gpu::kGroup;

using SharedVector = gpu::SharedArray<float, kSide>;

__device__ int rank() { return static_cast<int>(threadIdx.x); }

/// Makes the Householder vector that zeroes column i of `a` below row i + 1, and the tridiagonal
/// form's element beside it. Each thread makes one element of the vector.
__device__ void make_reflector(DeviceMatrix& a, int i, SharedVector& v, float& factor,
                               SharedVector& off_diagonal) {
  const int s = i + 1;
  float squares = 0;
  for (int r = s + 1; r < kSide; ++r) squares += a(r, i) * a(r, i);
  const float norm = std::sqrt(squares);
  Reflector reflector{a(s, i), 0, 0};  // nothing to zero
  if (norm != 0) reflector = reflector_of(a(s, i), norm);
  const bool scales = reflector.scale != 0;
  if (rank() == s) {
    v[s] = 1;
    factor = reflector.factor;
    off_diagonal[i] = scales ? reflector.first : a(s, i);
  } else if (rank() > s) {
    v[rank()] = scales ? a(rank(), i) / reflector.scale : a(rank(), i);
  }
}

/// Applies a reflector from both sides to the rows and columns from `s` on. All threads of the
/// block call it.
__device__ void reflect(DeviceMatrix& a, int s, float factor, SharedVector& v) {
  HIPVMAF_SHARED(SharedVector, x);
  HIPVMAF_SHARED(SharedVector, corrected);
  const bool owns_row = rank() >= s && rank() < kSide;
  if (owns_row) {
    float sum = 0;
    for (int j = s; j < kSide; ++j) sum += reflected_term(factor, a(j, rank()), v[j]);
    x[rank()] = sum;
  }
  __syncthreads();
  if (owns_row) {
    float product = 0;
    for (int r = s; r < kSide; ++r) product += x[r] * v[r];
    corrected[rank()] = x[rank()] + projection_correction(factor, product) * v[rank()];
  }
  __syncthreads();
  const int row = rank() / kSide;
  const int column = rank() % kSide;
  if (row < kSide && row >= s && column >= s) {
    a(row, column) =
        less_outer_products(a(row, column), corrected[row], v[row], corrected[column], v[column]);
  }
}

/// All threads of the block call it.
__device__ void find_eigenvalues(PictureModel& model) {
  HIPVMAF_SHARED(DeviceMatrix, a);
  HIPVMAF_SHARED(SharedVector, v);
  HIPVMAF_SHARED(float, factor);
  HIPVMAF_SHARED(SharedVector, diagonal);
  HIPVMAF_SHARED(SharedVector, off_diagonal);
  if (rank() < kElements) a.elements[rank()] = model.covariance.elements[rank()];
  __syncthreads();
  for (int i = 0; i + 2 < kSide; ++i) {
    if (rank() < kSide) make_reflector(a, i, v, factor, off_diagonal);
    __syncthreads();
    if (factor != 0) reflect(a, i + 1, factor, v);
    __syncthreads();
  }
  if (rank() < kSide) diagonal[rank()] = a(rank(), rank());
  if (rank() == 0) off_diagonal[kSide - 2] = a(kSide - 1, kSide - 2);
  __syncthreads();
  if (rank() > 0) return;
  diagonalise(&diagonal[0], &off_diagonal[0], kSide);
  model.irregular = 0;
  for (int i = 0; i < kSide; ++i) {
    model.eigenvalues[i] = diagonal[i];
    if (!is_regular(diagonal[i])) model.irregular = 1;
  }
}

/// Makes the unit vector of the reflection that turns column k of `z` (from row k on) onto axis k.
/// Each thread makes one element.
__device__ void make_reflection(DeviceMatrix& z, int k, bool positive, SharedVector& v) {
  float squares = 0;
  for (int i = k; i < kSide; ++i) squares += z(i, k) * z(i, k);
  const float norm = std::sqrt(squares);
  const float first = positive ? z(k, k) + norm : z(k, k) - norm;
  float new_squares = first * first;
  for (int i = k + 1; i < kSide; ++i) new_squares += z(i, k) * z(i, k);
  if (rank() >= k) v[rank()] = (rank() == k ? first : z(rank(), k)) / std::sqrt(new_squares);
}

/// Element of (1 - 2 v v^T) * m in a row from k on; v is 0 before row k.
__device__ float reflected_element(SharedVector& v, int k, DeviceMatrix& m, int row, int column) {
  float sum = 0;
  for (int j = k; j < kSide; ++j) sum += reflection_element(v[row], v[j], row == j) * m(j, column);
  return sum;
}

/// All threads of the block call it.
__device__ void decompose(PictureModel& model) {
  HIPVMAF_SHARED(DeviceMatrix, z);
  HIPVMAF_SHARED(DeviceMatrix, q);
  HIPVMAF_SHARED(SharedVector, v);
  const DeviceMatrix& covariance = model.covariance;
  const int row = rank() / kSide;
  const int column = rank() % kSide;
  const bool owns = rank() < kElements;
  if (owns) {
    z(row, column) = covariance(row, column);
    q(row, column) = row == column ? 1.0F : 0.0F;
  }
  __syncthreads();
  for (int k = 0; k + 1 < kSide; ++k) {
    if (rank() < kSide) make_reflection(z, k, covariance(k, k) >= 0, v);
    __syncthreads();
    const bool changes = owns && row >= k;
    const float new_z = changes ? reflected_element(v, k, z, row, column) : 0;
    const float new_q = changes ? reflected_element(v, k, q, row, column) : 0;
    __syncthreads();
    if (changes) {
      z(row, column) = new_z;
      q(row, column) = new_q;
    }
    __syncthreads();
  }
  if (owns) {
    float product = 0;  // below the diagonal it stays 0
    if (column >= row) {
      for (int k = 0; k < kSide; ++k) product += q(row, k) * covariance(k, column);
    }
    model.transposed_q(row, column) = q(row, column);
    model.upper(row, column) = product;
    z(row, column) = product;
  }
  __syncthreads();
  if (rank() > 0) return;
  model.no_pivot = 0;
  for (int i = 0; i < kSide; ++i) {
    if (!is_usable_pivot(z(i, i))) model.no_pivot = 1;
  }
}

/// The two decompositions of a picture's covariance, which need nothing of each other.
enum { kEigenvalues, kQr, kDecompositions };

__global__ void __launch_bounds__(kMatrixThreads)
    decompose_covariances(gpu::View1D<PictureModel> models) {
  PictureModel& model = models[static_cast<int>(blockIdx.x)];
  if (blockIdx.y == kEigenvalues) {
    find_eigenvalues(model);
  } else {
    decompose(model);
  }
}

// ---- Blocks ----

constexpr int kBlockThreads = 64;

/// A column per thread; by rows.
struct SharedColumns {
  gpu::SharedArray<float, kSide * kBlockThreads> elements;

  __device__ float& operator[](int row) { return elements[row * kBlockThreads + rank()]; }
};

/// Solves covariance * x = y.
__device__ void solve(const DeviceMatrix& q, const DeviceMatrix& upper, SharedColumns& y,
                      SharedColumns& x) {
  for (int i = 0; i < kSide; ++i) {
    float sum = 0;
    for (int k = 0; k < kSide; ++k) sum += y[k] * q(i, k);
    x[i] = sum;
  }
  for (int i = kSide - 1; i >= 0; --i) {
    float unknown = x[i];
    for (int k = i + 1; k < kSide; ++k) unknown -= x[k] * upper(i, k);
    x[i] = unknown / upper(i, i);
  }
}

/// A thread per block; a row of thread blocks per picture.
__global__ void __launch_bounds__(kBlockThreads)
    measure_blocks(StackedPictures<const float> details, Geometry geometry, float noise,
                   gpu::View1D<const PictureModel> models, gpu::View2D<float> variances,
                   gpu::View2D<float> entropies) {
  HIPVMAF_SHARED(DeviceMatrix, q);
  HIPVMAF_SHARED(DeviceMatrix, upper);
  HIPVMAF_SHARED(SharedColumns, samples);
  HIPVMAF_SHARED(SharedColumns, whitened);
  const auto picture = static_cast<int>(blockIdx.y);
  const PictureModel& model = models[picture];
  for (int i = rank(); i < kElements; i += kBlockThreads) {
    q.elements[i] = model.transposed_q.elements[i];
    upper.elements[i] = model.upper.elements[i];
  }
  __syncthreads();
  const int block = static_cast<int>(blockIdx.x) * kBlockThreads + rank();
  if (block >= geometry.blocks() || model.singular()) return;

  const gpu::View2D<const float> plane = details.picture(picture);
  const int left = block % geometry.block_columns() * kBlockSide;
  const int top = block / geometry.block_columns() * kBlockSide;
  for (int a = 0; a < kBlockSamples; ++a)
    samples[a] = plane(left + a % kBlockSide, top + a / kBlockSide);
  solve(q, upper, samples, whitened);
  float variance = variance_term(whitened[0], samples[0]);
  for (int i = 1; i < kSide; ++i) variance += variance_term(whitened[i], samples[i]);
  float entropy = 0;
  for (int i = 0; i < kSide; ++i)
    entropy = entropy_with(entropy, model.eigenvalues[i], variance, noise);
  variances(block, picture) = variance;
  entropies(block, picture) = entropy;
}

}  // namespace

GpuBlockModel::GpuBlockModel(const Geometry& geometry, float noise, int pictures)
    : geometry_(geometry),
      noise_(noise),
      models_(pictures),
      variances_(geometry.blocks(), pictures),
      entropies_(geometry.blocks(), pictures) {}

DeviceBlockStatistics GpuBlockModel::enqueue(gpu::Stream& stream,
                                             const StackedPictures<const float>& details) {
  const gpu::View1D<PictureModel> models = models_.view();
  const auto pictures = static_cast<unsigned>(models.count);
  gpu::launch(stream, pictures, kLanes, find_means, details, geometry_, models);
  gpu::launch(stream, dim3(gpu::blocks_for(kEntries, kLanes), pictures), kLanes, find_covariances,
              details, geometry_, models);
  gpu::launch(stream, dim3(pictures, kDecompositions), kMatrixThreads, decompose_covariances,
              models);
  gpu::launch(stream, dim3(gpu::blocks_for(geometry_.blocks(), kBlockThreads), pictures),
              kBlockThreads, measure_blocks, details, geometry_, noise_, models.readable(),
              variances_.view(), entropies_.view());
  return {models.readable(), variances_.view().readable(), entropies_.view().readable()};
}

}  // namespace hipvmaf::speed
