// The few calls that Swift's Glibc module does not show: entering namespaces, starting a process with exact descriptors,
// hearing and carrying the frames of an interface, finding holes, attributes. Nothing here decides anything.
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

// From here on the calling thread may do with files what their permissions let their owner do, also where it runs as root.
int portolan_obey_permissions(void);

int portolan_set_host_name(const char *name);
int portolan_mount(const char *source, const char *target, const char *type, unsigned long flags, const char *data);
int portolan_unmount(const char *target);
extern const unsigned long portolan_mount_bind;

// A new pseudo-terminal; its slave's path goes to `path`. Returns the master's descriptor, or -errno.
int portolan_open_terminal(char *path, size_t length);

// A socket that hears every frame of an interface of the calling thread's network, also those for others; a read that waits
// a tenth of a second for one fails with EAGAIN. Returns the descriptor, or -errno.
int portolan_open_capture(const char *interface);
// How many frames the socket had no room for since the last call, or -errno.
int portolan_frames_lost(int capture);

// A UDP socket in the network that the file `network` stands for (/proc/…/ns/net). It sends multicast with TTL 255 from
// the interface of `address` (IPv4). With port 5353 it is in the group of mDNS and bound to every address, with another
// port to `address` alone. A read that waits a tenth of a second fails with EAGAIN.
// Returns the descriptor, or -errno; -ENOTRECOVERABLE if the calling thread could not come back.
int portolan_open_speaker(const char *network, const char *address, int port);

// A new Ethernet interface in the calling thread's network. The descriptor reads the frames that the kernel sends through it,
// one at a time and none larger than its MTU allows, and what is written to it arrives there; neither waits. The interface
// ends with the descriptor. Returns it, or -errno.
int portolan_open_tap(const char *interface);
// Waits until the descriptor has something to read or `ending` has no writer left, for at most so many nanoseconds; for
// ever if negative. Returns false at the end.
bool portolan_wait_for_frame(int descriptor, int ending, long long nanoseconds);

// memmem(3) as a question.
bool portolan_holds(const void *bytes, size_t count, const void *wanted, size_t wanted_count);

// setxattr(2). Returns 0 or -errno.
int portolan_give_attribute(const char *path, const char *name, const void *value, size_t count);

// lseek(2)'s SEEK_DATA.
extern const int portolan_seek_data;
