#define _GNU_SOURCE
#include "PortolanConfinement.h"
#include "layers.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's own header may be older than the kernel: these are its numbers up to ABI 6, from landlock(7). */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum { create_ruleset_version = 1, rule_path_beneath = 1 };

static const uint64_t fs_execute = 1 << 0, fs_write_file = 1 << 1, fs_read_file = 1 << 2, fs_read_dir = 1 << 3,
                      fs_remove_dir = 1 << 4, fs_remove_file = 1 << 5, fs_make_dir = 1 << 7, fs_make_regular = 1 << 8,
                      fs_make_fifo = 1 << 10, fs_make_symlink = 1 << 12, fs_refer = 1 << 13, fs_truncate = 1 << 14,
                      fs_ioctl_device = 1 << 15;
/* Everything of ABI 1. */
static const uint64_t fs_first = (1 << 13) - 1;
static const uint64_t net_all = 3, scope_all = 3;

struct ruleset_attributes {
    uint64_t files, network, scoped;
};

struct path_beneath_attributes {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

int portolan_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, create_ruleset_version);
    return version < 0 ? 0 : (int)version;
}

static uint64_t handled(int version) {
    uint64_t files = fs_first;
    if (version >= 2) files |= fs_refer;
    if (version >= 3) files |= fs_truncate;
    if (version >= 5) files |= fs_ioctl_device;
    return files;
}

/* What does not exist has no rule and stays out of reach. */
static int allow(int ruleset, const char *path, uint64_t rights) {
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return errno == ENOENT || errno == EACCES || errno == ENOTDIR || errno == ELOOP ? 0 : -1;
    struct stat status;
    int result = fstat(file, &status);
    /* The kernel refuses rights of a folder for what is none. */
    if (result == 0 && !S_ISDIR(status.st_mode))
        rights &= fs_execute | fs_write_file | fs_read_file | fs_truncate | fs_ioctl_device;
    struct path_beneath_attributes rule = {.allowed = rights, .parent = file};
    if (result == 0) result = (int)syscall(SYS_landlock_add_rule, ruleset, rule_path_beneath, &rule, 0);
    int reason = errno;
    close(file);
    errno = reason;
    return result;
}

int portolan_landlock_ruleset(const char *program, const char *folder, char *const *readable) {
    int version = portolan_landlock_version();
    struct ruleset_attributes attributes = {.files = handled(version)};
    size_t size = sizeof attributes.files;
    if (version >= 4) {
        attributes.network = net_all;
        size = 2 * sizeof(uint64_t);
    }
    if (version >= 6) {
        attributes.scoped = scope_all;
        size = sizeof attributes;
    }
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (ruleset < 0) return -1;

    const uint64_t reading = fs_execute | fs_read_file | fs_read_dir;
    const uint64_t working = (fs_write_file | fs_read_file | fs_read_dir | fs_remove_dir | fs_remove_file | fs_make_dir |
                              fs_make_regular | fs_make_fifo | fs_make_symlink | fs_refer | fs_truncate) &
                             attributes.files;
    int failed = allow(ruleset, folder, working) != 0 || allow(ruleset, program, reading) != 0 ||
                 allow(ruleset, "/dev/null", (fs_read_file | fs_write_file | fs_truncate) & attributes.files) != 0;
    for (char *const *path = readable; !failed && *path; path++) failed = allow(ruleset, *path, reading) != 0;
    if (failed) {
        int reason = errno;
        close(ruleset);
        errno = reason;
        return -1;
    }
    return ruleset;
}

void portolan_landlock_allow_own_process(int ruleset) {
    (void)allow(ruleset, "/proc/self", fs_read_file | fs_read_dir);
}

int portolan_landlock_enforce(int ruleset) {
    return (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
}
