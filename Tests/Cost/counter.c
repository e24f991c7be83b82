// Counts what a program does, without a clock: the edges between basic blocks that it takes (Clang's
// documentation, "SanitizerCoverage"), and what it allocates, a step for 64 bytes.
#include <stddef.h>
#include <stdint.h>

static uint64_t steps;

uint64_t counted_steps(void) { return steps; }

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *end) {
    for (; start < end; start++) *start = 1;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    (void)guard;
    steps++;
}

void __sanitizer_malloc_hook(const volatile void *bytes, size_t size) {
    (void)bytes;
    steps += size / 64;
}

void __sanitizer_free_hook(const volatile void *bytes) { (void)bytes; }
