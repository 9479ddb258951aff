#ifndef PORTOLAN_LAYERS_H
#define PORTOLAN_LAYERS_H

/* The single layers of confinement.c. */

#include <linux/filter.h>
#include <stdint.h>

/* A Landlock ruleset: `folder` for writing, `readable` and `program` for reading. -1 with errno. */
int portolan_landlock_ruleset(const char *program, const char *folder, char *const *readable);

/* Adds the calling process's own folder in /proc, which must be done by the process that it is. */
void portolan_landlock_allow_own_process(int ruleset);

int portolan_landlock_enforce(int ruleset);

/* What the filter must make up for. */
struct portolan_filter_options {
    /* Other processes of the user can be seen and so be sent signals. */
    int others_in_reach;
    /* Modes and owners of the user's other files can be changed. */
    int files_in_reach;
};

enum { PORTOLAN_FILTER_CAPACITY = 160 };

struct portolan_filter {
    struct sock_filter instructions[PORTOLAN_FILTER_CAPACITY];
    unsigned short count;
};

/* 0 where this kind of processor has no filter here. */
int portolan_filter_make(struct portolan_filter *filter, struct portolan_filter_options options);
int portolan_filter_enforce(struct portolan_filter *filter);

#endif
