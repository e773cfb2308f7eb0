# phyxel_module(NAME SOURCES a.cpp ... KERNELS b.cpp ... DEPENDS core ... LIBRARIES TBB::tbb ...)
# One folder of src/phyxel is one library. DEPENDS names the folders it includes, of those above it in include_order.
# KERNELS are sources that nvcc compiles a second time where PHYXEL_CUDA is on (src/phyxel/cuda).
function(phyxel_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;KERNELS;DEPENDS;LIBRARIES" ${ARGN})
  # A folder of headers alone has nothing to compile.
  set(kind STATIC)
  set(scope PUBLIC)
  if(NOT ARG_SOURCES AND NOT ARG_KERNELS)
    set(kind INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(phyxel_${name} ${kind} ${ARG_SOURCES} ${ARG_KERNELS})
  list(TRANSFORM ARG_KERNELS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  set_property(GLOBAL APPEND PROPERTY PHYXEL_KERNELS ${ARG_KERNELS})
  add_library(phyxel::${name} ALIAS phyxel_${name})
  set_target_properties(phyxel_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(phyxel_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM ARG_DEPENDS PREPEND phyxel_)
  foreach(library ${ARG_DEPENDS})
    if(NOT TARGET ${library})
      message(FATAL_ERROR "${name} depends on ${library}, which is not above it in src/phyxel/include_order")
    endif()
  endforeach()
  target_link_libraries(phyxel_${name} ${scope} phyxel_options ${ARG_DEPENDS})
  if(kind STREQUAL STATIC)
    set_target_properties(phyxel_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(phyxel_${name} PRIVATE $<BUILD_INTERFACE:phyxel_strict> ${ARG_LIBRARIES})
  endif()
  set_property(GLOBAL APPEND PROPERTY PHYXEL_MODULES phyxel_${name})
endfunction()

# How nvcc compiles kernel files. -std by hand: CMake 3.25 knows no CUDA_STANDARD 20 for nvcc. The host's strict flags are not
# for it.
set(PHYXEL_CUDA_OPTIONS -std=c++20 --extended-lambda --expt-relaxed-constexpr -Xcompiler=-Wall,-fno-math-errno
  -diag-suppress=20012,20014)

# phyxel_method(NAME SOURCES a.cpp ... KERNELS b.cpp ...): the library phyxel_NAME with a method for add_method(). Headers are
# included as "NAME/file.h". Where PHYXEL_CUDA is on, nvcc compiles the kernels too, and sources see PHYXEL_CUDA.
function(phyxel_method name)
  cmake_parse_arguments(ARG "" "" "SOURCES;KERNELS" ${ARGN})
  add_library(phyxel_${name} STATIC ${ARG_SOURCES} ${ARG_KERNELS})
  target_include_directories(phyxel_${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}/..")
  target_link_libraries(phyxel_${name} PUBLIC phyxel_methods PRIVATE phyxel_strict fmt::fmt)
  if(NOT PHYXEL_CUDA)
    return()
  endif()
  foreach(kernel ${ARG_KERNELS})  # one folder cannot compile a file as two languages
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${kernel}.cu")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${kernel}\"\n")
    list(APPEND cuda_sources "${source}")
  endforeach()
  add_library(phyxel_${name}_cuda STATIC ${cuda_sources})
  target_compile_options(phyxel_${name}_cuda PRIVATE ${PHYXEL_CUDA_OPTIONS})
  target_include_directories(phyxel_${name}_cuda PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/..")
  target_link_libraries(phyxel_${name}_cuda PUBLIC phyxel_methods)
  target_link_libraries(phyxel_${name} PUBLIC phyxel_${name}_cuda)
  target_compile_definitions(phyxel_${name} PRIVATE PHYXEL_CUDA)
endfunction()

# phyxel_fuse(a.cpp ...): the compiler may fuse products and sums of these files, where the processor can. Only for kernels
# that lose speed without it: their last bits depend on how the compiler arranges them. Builds for processors without fused
# instructions are not affected (tests/golden).
function(phyxel_fuse)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -ffp-contract=fast)
endfunction()

# phyxel_test(NAME SOURCES a.cpp ... DEPENDS core ...): one program of doctest cases, one ctest entry.
function(phyxel_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  list(TRANSFORM ARG_DEPENDS PREPEND phyxel_)
  target_link_libraries(test_${name} PRIVATE phyxel_strict phyxel_test_main ${ARG_DEPENDS} ${ARG_LIBRARIES})
  add_test(NAME ${name}${PHYXEL_TEST_SUFFIX} COMMAND test_${name})
  if(NOT PHYXEL_SANITIZE)  # scripts/sanitize has a limit of its own
    set_tests_properties(${name}${PHYXEL_TEST_SUFFIX} PROPERTIES TIMEOUT 900)
  endif()
endfunction()

# phyxel_embed(OUT FILE FUNCTION): a source, whose path becomes OUT, with `const char* FUNCTION()` that returns the text of FILE.
# FUNCTION is qualified: phyxel::sph::presets. The program needs no file when it runs.
function(phyxel_embed out file function)
  file(READ "${file}" text)
  string(REGEX MATCH "^(.*)::([^:]+)$" matched "${function}")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${file}.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
    "namespace @CMAKE_MATCH_1@ {\nconst char* @CMAKE_MATCH_2@() {\n  return R\"text(@text@)text\";\n}\n}  // namespace @CMAKE_MATCH_1@\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  set(${out} "${source}" PARENT_SCOPE)
endfunction()
