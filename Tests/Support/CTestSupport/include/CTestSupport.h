// The few system calls that Swift's Glibc module does not show: entering namespaces and starting a process with exact
// descriptors. Nothing here decides anything.
#pragma once
#include <stdbool.h>
#include <sys/types.h>

// How a process is to be started. Descriptors are the caller's and stay open in the caller.
struct portolan_spawn {
    const char *path;
    char *const *arguments;    // ends with NULL
    char *const *environment;  // ends with NULL
    const char *directory;
    int input, output, error;
    const char *terminal;  // the slave side of a pseudo-terminal that becomes descriptors 0 to 2; NULL: the three above
};

// Starts a process in a session of its own, with default signal handling and no descriptor but 0, 1 and 2.
// Returns its process id, or -errno.
pid_t portolan_spawn(const struct portolan_spawn *what);

// Moves the calling thread, and no other of this process, into new network, mount, host name and IPC namespaces whose mounts
// do not spread; processes that it starts from now on are in a new process namespace. Returns 0 or -errno.
int portolan_leave_this_machine(void);

int portolan_set_host_name(const char *name);
int portolan_mount(const char *source, const char *target, const char *type, unsigned long flags, const char *data);
int portolan_unmount(const char *target);
extern const unsigned long portolan_mount_bind;

// A new pseudo-terminal; its slave's path goes to `path`. Returns the master's descriptor, or -errno.
int portolan_open_terminal(char *path, size_t length);
