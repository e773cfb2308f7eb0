#define DOCTEST_CONFIG_IMPLEMENT
#include "cuda/pure_functions.h"

#include <cstdio>
#include <doctest/doctest.h>

#include "core/matrices.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

constexpr int skipped = 77;  // SKIP_RETURN_CODE of this test

std::vector<Sample> samples() {
  MatrixSource source;
  std::vector<Sample> list;
  for (const auto& matrices : {special_matrices(), random_matrices(300)})
    for (const Mat3& a : rounded<Real>(matrices))
      list.push_back({a, cast<Real>(source.vector()), static_cast<ParticleId>(list.size())});
  return list;
}

/// f(sample, outcome on the CPU, outcome on the device) for all samples.
template <class F>
void compare(F&& f) {
  const std::vector<Sample> in = samples();
  const std::vector<Outcome> device = evaluate_on_device(in);
  for (std::size_t i = 0; i < in.size(); ++i) f(in[i], evaluate(in[i]), device[i]);
}

Wide relative_error(const Vec3& a, const Vec3& b) {
  return test::relative_error(converted<Wide>(diagonal(a)), converted<Wide>(diagonal(b)));
}
Wide relative_error(const Mat3& a, const Mat3& b) {
  return test::relative_error(converted<Wide>(a), converted<Wide>(b));
}

}  // namespace

TEST_CASE("random_numbers_are_the_same_bits_on_the_device") {
  compare([](const Sample&, const Outcome& cpu, const Outcome& device) {
    for (int k = 0; k < 4; ++k) CHECK(cpu.words.word[k] == device.words.word[k]);
    CHECK(cpu.uniform == device.uniform);
  });
}

// The bounds are those of tests/core: each back end is within 16 eps of the truth, and multiplying
// factors back costs 8 more.
TEST_CASE("eigenvalues_on_the_device_are_right_to_rounding") {
  compare([](const Sample& in, const Outcome& cpu, const Outcome& device) {
    CHECK(relative_error(device.eigenvalues, cpu.eigenvalues) <= 32 * eps<Real>());
    CHECK(relative_error(device.from_eigenvectors, symmetric_part(in.a)) <= 24 * eps<Real>());
  });
}

TEST_CASE("singular_values_on_the_device_are_right_to_rounding") {
  compare([](const Sample& in, const Outcome& cpu, const Outcome& device) {
    CHECK(relative_error(device.sigma, cpu.sigma) <= 32 * eps<Real>());
    CHECK(relative_error(device.from_svd, in.a) <= 24 * eps<Real>());
  });
}

TEST_CASE("polar_factors_on_the_device_are_right_to_rounding") {
  compare([](const Sample& in, const Outcome& cpu, const Outcome& device) {
    CHECK(rotation_error(converted<Wide>(device.rotation)) <= 32 * eps<Real>());
    CHECK(relative_error(device.rotation * device.stretch, in.a) <= 40 * eps<Real>());
    // The rotation is unique as far as the two smallest singular values do not cancel.
    const Wide sum = cpu.sigma[1] + cpu.sigma[2];
    if (sum > 0)
      CHECK(largest_entry(device.rotation - cpu.rotation) <= 64 * eps<Real>() * cpu.sigma[0] / sum);
  });
}

TEST_CASE("vectors_and_matrices_on_the_device_are_right_to_rounding") {
  compare([](const Sample& in, const Outcome& cpu, const Outcome& device) {
    // A dozen products, the largest of which is of the size of a^3 or 1.
    const Wide size = 1 + largest_entry(in.a);
    CHECK(largest_entry(diagonal(device.vector - cpu.vector)) <= 32 * eps<Real>() * size);
    CHECK(largest_entry(device.matrix - cpu.matrix) <= 64 * eps<Real>() * size * size * size);
  });
}

int main(int argc, char** argv) {
  if (device_count() == 0) {
    std::puts("skipped: no CUDA device on this machine");
    return skipped;
  }
  return doctest::Context(argc, argv).run();
}
