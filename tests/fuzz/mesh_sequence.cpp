#include "phyxel/colliders/mesh_sequence.h"

#include "fuzz/input.h"
#include "phyxel/colliders/moving_mesh_view.h"
#include "phyxel/io/mesh_read.h"

// Frames of a sequence one behind the other, as OBJ, each ended by a line "frame".

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phyxel;
  constexpr std::string_view end = "\nframe\n";
  return fuzz::answers([&] {
    std::vector<TriangleMesh> frames;
    for (std::string_view rest = fuzz::as_text(data, size); !rest.empty() && frames.size() < 8;) {
      const std::string_view frame = rest.substr(0, rest.find(end));
      frames.push_back(parse_obj(frame, "fuzz.obj"));
      rest.remove_prefix(std::min(rest.size(), frame.size() + end.size()));
    }
    const auto sequence = make_mesh_sequence(std::move(frames), 24, 0, "fuzz_{}.obj");
    MovingMesh moving;
    for (const double time : {-1.0, 0.01, 0.05, 1.0}) {
      move_to(moving, *sequence, time);
      surface_velocity(view_of(moving), Vec3{Real(0.1), Real(0.2), Real(0.3)});
    }
  });
}
