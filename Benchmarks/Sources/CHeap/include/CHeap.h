// Malloc, of which Glibc as a module leaves a part out.
#include <malloc.h>
