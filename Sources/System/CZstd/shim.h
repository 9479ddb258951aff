// libzstd as Debian ships it (1.5.4 or later; nothing is used that 1.4.0 lacks). PortolanCompression is the only target that
// calls it. It is linked: dpkg itself needs it, so that every Debian has it.
#include <zstd.h>
#include <zstd_errors.h>
