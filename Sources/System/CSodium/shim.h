// libsodium as Debian ships it (1.0.18 or later). PortolanCrypto is the only target that calls it.
#include <sodium.h>
