#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// The entry point of libFuzzer as a library (https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library). The
/// linker finds it with `-sanitize=fuzzer`.
int LLVMFuzzerRunDriver(
    int *_Nonnull argument_count, char *_Nullable *_Nonnull *_Nonnull arguments,
    int (*_Nonnull test_one_input)(const uint8_t *_Nullable bytes, size_t count));

#endif
