#include "phyxel/io/checkpoint_seal.h"

#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/io/hash.h"
#include "phyxel/io/text_reader.h"

namespace phyxel {

std::string checkpoint_seal(std::string_view body) {
  std::string seal = fmt::format("phyxel checkpoint\nschema {}\nbytes {}\nhash {:016x}\n",
                                 checkpoint_schema, body.size(), hash_of(body));
  seal.resize(checkpoint_seal_size, '\0');
  return seal;
}

void refuse_checkpoint(const std::filesystem::path& path, const std::string& why) {
  throw InputError(Place{path.string()}, why + "; resume from an earlier checkpoint");
}

void check_checkpoint_seal(const std::filesystem::path& path) {
  const std::string bytes = read_whole_file(path);
  TextReader r{bytes, path.string()};
  if (r.line() != "phyxel checkpoint") refuse_checkpoint(path, "is not a phyxel checkpoint");
  r.word();
  const auto version = parse_number<std::int32_t>(r.word());
  if (version != checkpoint_schema)
    throw InputError(
        Place{path.string()},
        fmt::format("is of schema {}, this program reads {}: go on with the version of phyxel that "
                    "wrote it, or start anew without --resume",
                    version ? std::to_string(*version) : "?", checkpoint_schema));
  r.word();
  const auto size = parse_number<std::uint64_t>(r.word());
  const std::size_t there =
      bytes.size() > checkpoint_seal_size ? bytes.size() - checkpoint_seal_size : 0;
  if (!size || *size != there || there == 0)
    refuse_checkpoint(path,
                      "is cut off or damaged: " + std::to_string(there) + " bytes of content, " +
                          (size ? std::to_string(*size) : "an unknown number") + " were written");
  const std::string_view body = std::string_view(bytes).substr(checkpoint_seal_size);
  if (bytes.substr(0, checkpoint_seal_size) != checkpoint_seal(body))
    refuse_checkpoint(path, "is damaged: its content does not match its hash");
}

}  // namespace phyxel
