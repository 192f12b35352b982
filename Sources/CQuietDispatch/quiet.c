#include "CQuietDispatch.h"

#include <stdlib.h>

/*
 * libdispatch asks for a higher priority of its threads, and where the system refuses that, as it does to every user but
 * root, it tells the system's log of each thread, heap addresses included. This runs before the first of them; whoever
 * wants the messages sets the variable.
 */
__attribute__((constructor)) static void quiet_dispatch(void) { setenv("LIBDISPATCH_LOG", "NO", 0); }
