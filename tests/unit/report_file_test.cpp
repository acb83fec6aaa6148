#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <hipvmaf/error.hpp>
#include <hipvmaf/report.hpp>

namespace hipvmaf {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ReportFileTest : public testing::Test {
 protected:
  ReportFileTest() {
    std::string name = testing::TempDir() + "report_file_XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    folder_ = name;
  }
  ~ReportFileTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }
  [[nodiscard]] mode_t mode(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(::stat((folder_ / name).c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  fs::path folder_;
};

void expect_refused(const fs::path& path, const std::string& reason) {
  try {
    const ReportFile file(path);
    FAIL() << path << " was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_THAT(error.what(), HasSubstr(path.string()));
    EXPECT_THAT(error.what(), HasSubstr(reason));
  }
}

TEST_F(ReportFileTest, AppearsWithTheCommit) {
  ReportFile file(folder_ / "a.xml");
  EXPECT_EQ(file.path(), folder_ / "a.xml");
  EXPECT_FALSE(fs::exists(folder_ / "a.xml"));
  file.commit("text");
  EXPECT_EQ(read("a.xml"), "text");
  EXPECT_EQ(entries(), 1);
  EXPECT_THROW(file.commit("again"), Error);
  EXPECT_EQ(read("a.xml"), "text");
}

TEST_F(ReportFileTest, LeavesNothingWithoutACommit) {
  { const ReportFile file(folder_ / "a.xml"); }
  EXPECT_EQ(entries(), 0);
  write("a.xml", "old");
  { const ReportFile file(folder_ / "a.xml"); }
  EXPECT_EQ(read("a.xml"), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(ReportFileTest, ReplacesAFileAndKeepsItsPermissions) {
  write("a.xml", "a longer old text");
  ASSERT_EQ(::chmod((folder_ / "a.xml").c_str(), 0640), 0);
  ReportFile file(folder_ / "a.xml");
  EXPECT_EQ(read("a.xml"), "a longer old text");
  file.commit("new");
  EXPECT_EQ(read("a.xml"), "new");
  EXPECT_EQ(mode("a.xml"), 0640U);
}

TEST_F(ReportFileTest, NewFilesFollowTheUmask) {
  const mode_t before = ::umask(027);
  ReportFile(folder_ / "a.xml").commit("");
  ::umask(before);
  EXPECT_EQ(mode("a.xml"), 0640U);
}

TEST_F(ReportFileTest, KeepsSymbolicLinks) {
  fs::create_directory(folder_ / "sub");
  write("sub/a.xml", "old");
  fs::create_symlink("sub/a.xml", folder_ / "link");
  fs::create_symlink("link", folder_ / "link_to_link");
  ReportFile(folder_ / "link_to_link").commit("new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link_to_link"));
  EXPECT_EQ(read("sub/a.xml"), "new");
}

TEST_F(ReportFileTest, MakesTheFileThatALinkWaitsFor) {
  fs::create_symlink(folder_ / "a.xml", folder_ / "link");
  ReportFile(folder_ / "link").commit("new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read("a.xml"), "new");
}

TEST_F(ReportFileTest, RefusesPlacesItCannotWriteTo) {
  write("file", "");
  fs::create_symlink("loop", folder_ / "loop");
  expect_refused(folder_, "directory");
  expect_refused(folder_ / "new/", "directory");
  expect_refused(folder_ / "missing" / "a.xml", "No such file");
  expect_refused(folder_ / "file" / "a.xml", "Not a directory");
  expect_refused(folder_ / "loop", "symbolic links");
  expect_refused("/proc/a.xml", "");
  expect_refused("", "No such file");
  expect_refused("/dev/fd/1000000", "Bad file descriptor");
}

TEST_F(ReportFileTest, FindsAFreeNameForTheTemporaryFile) {
  ReportFile first(folder_ / "a.xml");
  ReportFile second(folder_ / "a.json");
  second.commit("json");
  first.commit("xml");
  EXPECT_EQ(read("a.xml"), "xml");
  EXPECT_EQ(read("a.json"), "json");
}

TEST_F(ReportFileTest, MayBeMoved) {
  ReportFile first(folder_ / "a.xml");
  ReportFile second(std::move(first));
  second.commit("text");
  second = ReportFile(folder_ / "b.xml");
  second.commit("other");
  EXPECT_EQ(read("a.xml"), "text");
  EXPECT_EQ(read("b.xml"), "other");
  EXPECT_EQ(entries(), 2);
}

TEST_F(ReportFileTest, ReportsARenameThatFails) {
  ReportFile file(folder_ / "a.xml");
  fs::create_directory(folder_ / "a.xml");
  EXPECT_THROW(file.commit("text"), Error);
  EXPECT_EQ(entries(), 1);  // no temporary file stays
}

TEST_F(ReportFileTest, WritesDevicesDirectly) {
  ReportFile("/dev/null").commit("text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ReportFileTest, ReportsAFullDevice) {
  if (!fs::is_character_file("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  ReportFile file("/dev/full");
  EXPECT_THROW(file.commit("text"), Error);
}

TEST_F(ReportFileTest, WritesPipes) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ReportFile("/dev/fd/" + std::to_string(ends[1])).commit("text");
  std::array<char, 16> buffer{};
  EXPECT_EQ(::read(ends[0], buffer.data(), buffer.size()), 4);
  EXPECT_STREQ(buffer.data(), "text");
  ::close(ends[0]);
  ::close(ends[1]);
}

// What happens with `-o /dev/stdout > file`: the report goes between what is printed before and
// after it.
TEST_F(ReportFileTest, ContinuesAnOpenFile) {
  const int fd = ::open((folder_ / "out").c_str(), O_WRONLY | O_CREAT, 0666);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(::write(fd, "before ", 7), 7);
  ReportFile("/dev/fd/" + std::to_string(fd)).commit("report");
  ASSERT_EQ(::write(fd, " after", 6), 6);
  ::close(fd);
  EXPECT_EQ(read("out"), "before report after");
}

}  // namespace
}  // namespace hipvmaf
