# Writes a C++ file that holds text files: cmake -DOUTPUT=x.cpp -DFILES=a;b -P embed_files.cmake
# Compilers limit the length of one string literal, so the text is cut into several.
set(chunk 8000)
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" text)
  string(LENGTH "${text}" length)
  string(APPEND entries "    {\"${name}\",")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} ${chunk} part)
    string(APPEND entries "\n     R\"embedded(${part})embedded\"")
    math(EXPR at "${at} + ${chunk}")
  endwhile()
  string(APPEND entries "},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Generated from the files of models/.
#include \"model/embedded_files.hpp\"

namespace hipvmaf {
namespace {

constexpr EmbeddedFile kFiles[] = {
${entries}};

}  // namespace

std::span<const EmbeddedFile> embedded_model_files() { return kFiles; }

}  // namespace hipvmaf
")
