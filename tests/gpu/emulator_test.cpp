// The emulator bites: kernels with planted mistakes are found out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

#include <hipvmaf/error.hpp>

#include "gpu/buffer.hpp"
#include "gpu/emulator/address_sanitizer.hpp"
#include "gpu/kernels.hpp"

namespace hipvmaf::test {
namespace {

using gpu::emulator::Behaviour;
using testing::HasSubstr;

constexpr int kCount = 2 * kThreads;

/// Runs a test body under a behaviour, and goes back to the environment's afterwards.
class Emulator : public testing::Test {
 protected:
  ~Emulator() override { gpu::emulator::configure(before_); }

  template <class Body>
  void under(int wave_size, std::uint32_t seed, const Body& body) {
    Behaviour wanted = before_;
    wanted.wave_size = wave_size;
    wanted.seed = seed;
    gpu::emulator::configure(wanted);
    body();
  }

 private:
  Behaviour before_ = gpu::emulator::behaviour();
};

/// Two buffers, the first one with 1, 2, 3 ... in it.
struct Pair {
  Pair() : values(kCount) {
    std::iota(values.begin(), values.end(), 1);
    stream.upload(from.view(), values.data());
    stream.synchronize();
  }
  std::vector<int> result() {
    std::vector<int> downloaded(kCount);
    stream.download(downloaded.data(), to.view().readable());
    stream.synchronize();
    return downloaded;
  }

  std::vector<int> values;
  gpu::Stream stream;
  gpu::Buffer<int> from{kCount};
  gpu::Buffer<int> to{kCount};
};

std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device);
    return error.what();
  }
  return "nothing was found";
}

constexpr std::uint32_t kSeeds[] = {0, 1, 2, 3};

TEST_F(Emulator, AMissingBarrierGivesWrongResultsInEveryOrder) {
  for (const std::uint32_t seed : kSeeds) {
    under(32, seed, [&] {
      Pair pair;
      reverse_blocks(pair.stream, pair.from.view().readable(), pair.to.view());
      const std::vector<int> right = pair.result();
      reverse_without_barrier(pair.stream, pair.from.view().readable(), pair.to.view());
      EXPECT_NE(pair.result(), right) << "seed " << seed;
    });
  }
}

TEST_F(Emulator, AMissingWaitReadsPoison) {
  under(32, 0, [&] {
    Pair pair;
    gpu::Stream other;
    gpu::Buffer<int> late(kCount);
    other.upload(late.view(), pair.values.data());
    double_values(pair.stream, late.view().readable(), pair.to.view());
    EXPECT_EQ(pair.result()[0], -2);  // twice the poison
  });
}

TEST_F(Emulator, HostMemoryIsReadAsLateAsTheStreamAllows) {
  under(32, 0, [&] {
    Pair pair;
    pair.stream.upload(pair.to.view(), pair.values.data());
    pair.values[0] = 77;  // a picture that is reused too early
    EXPECT_EQ(pair.result()[0], 77);
  });
}

TEST_F(Emulator, AnElementPastTheEndIsNamed) {
  under(32, 0, [&] {
    Pair pair;
    double_one_too_many(pair.stream, pair.from.view().readable(), pair.to.view());
    EXPECT_THAT(message_of([&] { pair.stream.synchronize(); }),
                HasSubstr("block (2, 0, 0): thread (0, 0, 0): index 256 is outside 0 .. 255"));
  });
}

TEST_F(Emulator, AWriteThroughAPlainPointerHitsTheFence) {
  const auto write = [] {
    Pair pair;
    write_past_end(pair.stream, pair.to.view());
    pair.stream.synchronize();
  };
  if (gpu::emulator::kFencesAreWatched) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(write(), "AddressSanitizer: use-after-poison");
  } else {
    EXPECT_THAT(message_of(write), HasSubstr("written outside a device buffer of 1024 bytes"));
  }
}

TEST_F(Emulator, AnElementThatIsNotSetStaysPoison) {
  under(32, 0, [&] {
    Pair pair;
    double_one_too_few(pair.stream, pair.from.view().readable(), pair.to.view());
    EXPECT_EQ(pair.result().back(), -1);
  });
}

TEST_F(Emulator, AnAssumptionOf32LanesFailsOn64) {
  const auto sums = [] {
    gpu::Stream stream;
    const std::vector<std::uint64_t> ones(kCount, 1);
    const gpu::Buffer<std::uint64_t> values(kCount);
    const gpu::Buffer<std::uint64_t> result(2);
    stream.upload(values.view(), ones.data());
    stream.clear(result.view());
    sum_blocks_of_wave_32(stream, values.view().readable(), result.view());
    std::vector<std::uint64_t> downloaded(2);
    stream.download(downloaded.data(), result.view().readable());
    stream.synchronize();
    return downloaded;
  };
  under(32, 0, [&] { EXPECT_THAT(sums(), testing::Each(kThreads)); });
  under(64, 0, [&] { EXPECT_THAT(sums(), testing::Each(testing::Ne(kThreads))); });
}

TEST_F(Emulator, ABarrierThatNotAllReachIsAFault) {
  Pair pair;
  leave_before_barrier(pair.stream, pair.to.view());
  EXPECT_THAT(message_of([&] { pair.stream.synchronize(); }),
              HasSubstr("64 threads of the block wait at a barrier, 64 have ended"));
}

TEST_F(Emulator, AnExchangeThatNotAllLanesTakePartInIsAFault) {
  Pair pair;
  exchange_by_half(pair.stream, pair.to.view());
  EXPECT_THAT(message_of([&] { pair.stream.synchronize(); }), HasSubstr("exchange values"));
}

TEST_F(Emulator, MixedUpMemoryIsAFault) {
  Pair pair;
  const std::string message = message_of([&] {
    pair.stream.upload(gpu::View1D<int>{pair.values.data(), kCount}, pair.values.data());
    pair.stream.synchronize();
  });
  EXPECT_THAT(message, HasSubstr("mixes up host and device"));
}

TEST_F(Emulator, ACaptureWithoutAWayBackIsRefused) {
  Pair pair;
  gpu::Stream other;
  gpu::Event begun;
  const std::string message = message_of([&] {
    static_cast<void>(pair.stream.capture([&] {
      double_values(pair.stream, pair.from.view().readable(), pair.to.view());
      pair.stream.record(begun);
      other.wait(begun);
      double_values(other, pair.to.view().readable(), pair.from.view());
    }));
  });
  EXPECT_THAT(message, HasSubstr("hipStreamEndCapture"));
}

}  // namespace
}  // namespace hipvmaf::test
