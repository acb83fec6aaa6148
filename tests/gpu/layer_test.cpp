// The device layer: buffers, copies, streams, events, graphs and the operations between threads, on
// whatever platform the build has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>

#include "gpu/buffer.hpp"
#include "gpu/kernels.hpp"

namespace hipvmaf::test {
namespace {

std::vector<int> counted(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

template <class T>
gpu::Buffer<T> uploaded(gpu::Stream& stream, const std::vector<T>& values) {
  gpu::Buffer<T> buffer(static_cast<int>(values.size()));
  stream.upload(buffer.view(), values.data());
  stream.synchronize();  // `values` may be gone after this
  return buffer;
}

template <class T>
std::vector<T> downloaded(gpu::Stream& stream, const gpu::Buffer<T>& buffer) {
  std::vector<T> values(static_cast<std::size_t>(buffer.count()));
  stream.download(values.data(), buffer.view().readable());
  stream.synchronize();
  return values;
}

TEST(GpuLayer, CopiesAndKernelsRunInTheOrderOfTheStream) {
  gpu::Stream stream;
  const std::vector<int> values = counted(1000);
  const gpu::Buffer<int> from = uploaded(stream, values);
  const gpu::Buffer<int> to(1000);
  double_values(stream, from.view().readable(), to.view());
  double_values(stream, to.view().readable(), from.view());
  const std::vector<int> result = downloaded(stream, from);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(result[i], 4 * values[i]);
  EXPECT_EQ(stream.kernels(), 2);
}

TEST(GpuLayer, StreamsMeetAtEvents) {
  gpu::Stream copies;
  gpu::Stream kernels;
  gpu::Event uploaded_event;
  gpu::Event doubled;
  const std::vector<int> values = counted(300);
  const gpu::Buffer<int> to(300);
  const gpu::Buffer<int> from = uploaded(copies, values);
  copies.record(uploaded_event);
  kernels.wait(uploaded_event);
  double_values(kernels, from.view().readable(), to.view());
  kernels.record(doubled);
  copies.wait(doubled);
  EXPECT_EQ(downloaded(copies, to)[299], 600);
}

TEST(GpuLayer, BlockSumsOfIntegersAndDoubles) {
  gpu::Stream stream;
  const int count = 5 * kThreads - 7;
  std::vector<std::uint64_t> integers;
  std::vector<double> doubles;
  std::uint64_t total = 0;
  for (int i = 0; i < count; ++i) {
    integers.push_back((std::uint64_t{1} << 40) + static_cast<std::uint64_t>(i) * 977);
    doubles.push_back(1.0 / (i + 1));
    total += integers.back();
  }
  const gpu::Buffer<std::uint64_t> sums(5);
  sum_blocks(stream, uploaded(stream, integers).view().readable(), sums.view());
  const std::vector<std::uint64_t> integer_sums = downloaded(stream, sums);
  EXPECT_EQ(std::accumulate(integer_sums.begin(), integer_sums.end(), std::uint64_t{0}), total);

  // The order of a double sum is fixed: halves of 32, then the runs of 32 in order.
  doubles.resize(5 * kThreads, 0.0);
  const gpu::Buffer<double> double_sums(5);
  sum_blocks(stream, uploaded(stream, doubles).view().readable(), double_sums.view());
  const std::vector<double> result = downloaded(stream, double_sums);
  for (std::size_t block = 0; block < 5; ++block) {
    double expected = 0;
    for (std::size_t run = 0; run < kThreads / 32; ++run) {
      std::vector<double> v(
          doubles.begin() + static_cast<std::ptrdiff_t>(block * kThreads + run * 32),
          doubles.begin() + static_cast<std::ptrdiff_t>(block * kThreads + run * 32 + 32));
      for (std::size_t half = 16; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) v[i] += v[i + half];
      }
      expected += v[0];
    }
    EXPECT_EQ(result[block], expected);
  }
}

TEST(GpuLayer, AtomicSums) {
  gpu::Stream stream;
  const std::vector<std::uint64_t> values(1000, (std::uint64_t{1} << 33) + 5);
  const gpu::Buffer<std::uint64_t> sum(1);
  stream.clear(sum.view());
  add_all(stream, uploaded(stream, values).view().readable(), sum.view());
  EXPECT_EQ(downloaded(stream, sum)[0], 1000 * values[0]);
}

TEST(GpuLayer, SharedMemoryAndBarriers) {
  gpu::Stream stream;
  const std::vector<int> values = counted(3 * kThreads);
  const gpu::Buffer<int> to(3 * kThreads);
  reverse_blocks(stream, uploaded(stream, values).view().readable(), to.view());
  const std::vector<int> result = downloaded(stream, to);
  for (int i = 0; i < 3 * kThreads; ++i) {
    const int reversed = i / kThreads * kThreads + kThreads - 1 - i % kThreads;
    EXPECT_EQ(result[static_cast<std::size_t>(i)], values[static_cast<std::size_t>(reversed)]);
  }
}

TEST(GpuLayer, GraphsReplayWhatWasRecordedFromTwoStreams) {
  gpu::Stream first;
  gpu::Stream second;
  gpu::Event begun;
  gpu::Event ended;
  const gpu::Buffer<int> a = uploaded(first, counted(200));
  const gpu::Buffer<int> b(200);
  const gpu::Buffer<int> c(200);
  first.synchronize();
  const gpu::Graph graph = first.capture([&] {
    double_values(first, a.view().readable(), b.view());
    first.record(begun);
    second.wait(begun);
    double_values(second, b.view().readable(), c.view());
    second.record(ended);
    first.wait(ended);
    double_values(first, c.view().readable(), a.view());
  });
  for (int i = 0; i < 3; ++i) first.launch(graph);
  EXPECT_EQ(downloaded(first, a)[0], 512);
}

TEST(GpuLayer, ACaptureThatThrowsLeavesTheStreamUsable) {
  gpu::Stream stream;
  EXPECT_THROW(static_cast<void>(stream.capture([] { throw std::runtime_error("no"); })),
               std::runtime_error);
  const gpu::Buffer<int> buffer = uploaded(stream, counted(10));
  EXPECT_EQ(downloaded(stream, buffer)[9], 10);
}

TEST(GpuLayer, RowsAreUploadedWithTheirPitch) {
  gpu::Stream stream;
  const gpu::Buffer2D<std::uint16_t> plane(37, 5);
  EXPECT_EQ(plane.view().pitch, 128);
  const std::vector<std::uint16_t> rows(40 * 5, 7);
  stream.upload(plane.view(), rows.data(), 40);
  std::vector<std::uint16_t> row(37);
  stream.download(row.data(), gpu::View1D<const std::uint16_t>{&plane.view().data[128 * 4], 37});
  stream.synchronize();
  EXPECT_THAT(row, testing::Each(7));
}

TEST(GpuLayer, OutOfMemoryIsAnErrorThatNamesTheWork) {
  const std::size_t before = gpu::device_bytes_in_use();
  const gpu::WorkLabel label("psnr", 7);
  try {
    const gpu::DeviceMemory memory(std::size_t{1} << 50);
    FAIL() << "a pebibyte was allocated";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    EXPECT_THAT(error.what(), testing::HasSubstr("psnr, frame 7: the GPU refused hipMalloc"));
  }
  EXPECT_EQ(gpu::device_bytes_in_use(), before);
}

}  // namespace
}  // namespace hipvmaf::test
