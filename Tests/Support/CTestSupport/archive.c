// Compares the declarations of libarchive's functions in CArchive with those in its headers, where these are installed.
#if __has_include(<archive.h>)
#define _GNU_SOURCE
#include <archive.h>
#include <archive_entry.h>

#include "../../../Sources/System/CArchive/shim.h"

#define DECLARE(result, field, function, parameters) result function parameters;
PORTOLAN_ARCHIVE_FUNCTIONS(DECLARE)

_Static_assert(PORTOLAN_ARCHIVE_OK == ARCHIVE_OK, "the result that means success");
#endif
