#pragma once
/* Without this define sqlite3.h hides sqlite3_key and sqlite3_rekey. */
#define SQLITE_HAS_CODEC 1
#include <sqlite3.h>
