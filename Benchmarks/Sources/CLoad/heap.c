#include <malloc.h>

#include "CLoad.h"

size_t load_heap_size(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
