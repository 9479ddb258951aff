#ifndef PORTOLAN_CONFINEMENT_H
#define PORTOLAN_CONFINEMENT_H

/* Starting a program that can reach one folder and little else. What happens between fork and exec has to be written in C: only
   async-signal-safe calls may be made there, and Swift promises that of none of its own. */

#include <stdint.h>
#include <sys/types.h>

/* What holds a program in. A kernel or a container may refuse any of them; each works without the others. */
enum {
    /* Landlock: reads what it is shown, writes in its folder only; no TCP (ABI 4), no signals to others (ABI 6). */
    PORTOLAN_LAYER_LANDLOCK = 1,
    /* User, network, IPC and PID namespaces: no network, no other processes, and all of its own die with the first. */
    PORTOLAN_LAYER_NAMESPACES = 2,
    /* A mount namespace in which all but the folder is read-only. Only together with the namespaces above. */
    PORTOLAN_LAYER_READ_ONLY = 4,
    /* A seccomp filter: no sockets, no leaving the process group, no tracing, no new namespaces. */
    PORTOLAN_LAYER_SECCOMP = 8,
};

/* Where starting went wrong. */
enum {
    PORTOLAN_STEP_PREPARE = 1,
    PORTOLAN_STEP_FORK,
    PORTOLAN_STEP_DESCRIPTORS,
    PORTOLAN_STEP_NAMESPACES,
    PORTOLAN_STEP_READ_ONLY,
    PORTOLAN_STEP_FOLDER,
    PORTOLAN_STEP_PRIVILEGES,
    PORTOLAN_STEP_LIMITS,
    PORTOLAN_STEP_LANDLOCK,
    PORTOLAN_STEP_SECCOMP,
    PORTOLAN_STEP_EXECUTE,
    /* No failure: the program ran and ended; the value is its wait status. Told only where there are namespaces. */
    PORTOLAN_STEP_ENDED = 100,
};

struct portolan_confinement {
    /* Absolute paths. */
    const char *program;
    const char *folder;
    char *const *arguments;
    char *const *environment;
    /* Files and folders that may be read and executed, beside the program; what does not exist is passed over. */
    char *const *readable;
    /* What becomes standard input and output. */
    int input, output;
    /* Limits for each process: bytes of one file, bytes of address space, seconds of processor time, open files. */
    uint64_t file_size, address_space, processor_seconds, open_files;
    /* Every layer named here holds, or the program does not start. */
    uint32_t layers;
};

struct portolan_confined_process {
    /* The process to wait for; it leads a session and a process group of its own. */
    pid_t process;
    /* Becomes readable when it ends. */
    int pidfd;
    /* What it writes to standard error; does not block. */
    int diagnostics;
    /* Pairs of int32_t: a step and an errno (or status), until the end; does not block. */
    int report;
};

/* Starts a program. It is killed when the calling thread ends. Returns 0, or the errno with `*step` set. */
int portolan_confined_start(
    const struct portolan_confinement *confinement, struct portolan_confined_process *process, int *step);

/* The layers that this kernel grants this process, found out by trying them in a child. */
uint32_t portolan_confinement_layers(void);

/* The version of Landlock's interface; 0 where there is none. */
int portolan_landlock_version(void);

#endif
