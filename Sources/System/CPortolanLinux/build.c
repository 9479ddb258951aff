#include "CPortolanLinux.h"

/* Package.swift defines both from the environment. */
#ifndef PORTOLAN_COMMIT
#define PORTOLAN_COMMIT ""
#endif
#ifndef PORTOLAN_COMMIT_DATE
#define PORTOLAN_COMMIT_DATE ""
#endif

const char *portolan_build_commit(void) { return PORTOLAN_COMMIT; }

const char *portolan_build_date(void) { return PORTOLAN_COMMIT_DATE; }
