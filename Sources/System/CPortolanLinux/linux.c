#define _GNU_SOURCE
#include "CPortolanLinux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <malloc.h>
#include <netinet/in.h>
#include <stddef.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>
#include <unistd.h>

int portolan_open_beneath(int directory, const char *path, int flags, uint32_t mode) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = (uint64_t)flags;
    how.mode = (flags & O_CREAT) ? mode : 0;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int portolan_rename_without_replacing(int from_directory, const char *from, int to_directory, const char *to) {
    return renameat2(from_directory, from, to_directory, to, RENAME_NOREPLACE);
}

int portolan_exchange(int from_directory, const char *from, int to_directory, const char *to) {
    return renameat2(from_directory, from, to_directory, to, RENAME_EXCHANGE);
}

int portolan_punch_hole(int file, int64_t offset, int64_t length) {
    return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length);
}

int64_t portolan_find_data(int file, int64_t offset) {
    return lseek(file, offset, SEEK_DATA);
}

int64_t portolan_find_hole(int file, int64_t offset) {
    return lseek(file, offset, SEEK_HOLE);
}

int portolan_bytes_not_sent(int socket, int *count) {
    return ioctl(socket, SIOCOUTQNSD, count);
}

int portolan_start_writeback(int file, int64_t offset, int64_t length) {
    return sync_file_range(file, offset, length, SYNC_FILE_RANGE_WRITE);
}

int portolan_sync_file_system(int file) {
    return syncfs(file);
}

int portolan_packets(int socket, uint32_t *sent, uint32_t *again) {
    struct tcp_info information;
    socklen_t length = sizeof information;
    memset(&information, 0, sizeof information);
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &information, &length) != 0) return -1;
    *sent = information.tcpi_data_segs_out;
    *again = information.tcpi_total_retrans;
    return 0;
}

int portolan_is_written(int file) {
    if (fcntl(file, F_SETSIG, SIGURG) != 0) return -1;
    if (fcntl(file, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN ? 1 : -1;
    fcntl(file, F_SETLEASE, F_UNLCK);
    return 0;
}

int portolan_is_open(int file) {
    if (fcntl(file, F_SETSIG, SIGURG) != 0) return -1;
    if (fcntl(file, F_SETLEASE, F_WRLCK) != 0) return errno == EAGAIN ? 1 : -1;
    fcntl(file, F_SETLEASE, F_UNLCK);
    return 0;
}

static int lock_range(int file, int command, short type, int64_t start, int64_t length, struct flock *lock) {
    *lock = (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
    return fcntl(file, command, lock);
}

int portolan_lock_range(int file, int64_t start, int64_t length) {
    struct flock lock;
    return lock_range(file, F_OFD_SETLK, F_RDLCK, start, length, &lock);
}

int portolan_unlock_range(int file, int64_t start, int64_t length) {
    struct flock lock;
    return lock_range(file, F_OFD_SETLK, F_UNLCK, start, length, &lock);
}

int portolan_range_is_locked(int file, int64_t start, int64_t length) {
    struct flock lock;
    if (lock_range(file, F_OFD_GETLK, F_RDLCK, start, length, &lock) != 0) return -1;
    return lock.l_type != F_UNLCK;
}

int portolan_is_in_memory(int file) {
    struct statfs status;
    if (fstatfs(file, &status) != 0) return 0;
    return (unsigned long)status.f_type == TMPFS_MAGIC || (unsigned long)status.f_type == RAMFS_MAGIC;
}

int portolan_lists_attributes(int file) {
    struct statfs status;
    if (fstatfs(file, &status) != 0) return 0;
    switch ((unsigned long)status.f_type) {
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case TMPFS_MAGIC:
        return 1;
    default:
        return 0;
    }
}

int portolan_is_mount_root(int folder) {
    struct statx status;
    if (statx(folder, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT, 0, &status) != 0) return 0;
    return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

int64_t portolan_birth(int file) {
    struct statx status;
    if (statx(file, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT, STATX_BTIME, &status) != 0) return 0;
    if (!(status.stx_mask & STATX_BTIME)) return 0;
    return status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

int portolan_keeps_numbers(int file) {
    struct statfs status;
    if (fstatfs(file, &status) != 0) return 1;
    switch ((unsigned long)status.f_type) {
    case MSDOS_SUPER_MAGIC:
    case EXFAT_SUPER_MAGIC:
    case FUSE_SUPER_MAGIC:
        return 0;
    default:
        return 1;
    }
}

int portolan_protection(int folder, const char *name) {
    struct statx status;
    int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (name[0] == 0 ? AT_EMPTY_PATH : 0);
    if (statx(folder, name, flags, 0, &status) != 0) return 0;
    return (status.stx_attributes & STATX_ATTR_IMMUTABLE ? PORTOLAN_IMMUTABLE : 0)
           | (status.stx_attributes & STATX_ATTR_APPEND ? PORTOLAN_APPEND_ONLY : 0);
}

int portolan_clone_file(int from, int to) {
    return ioctl(to, FICLONE, from);
}

int portolan_clone_range(int from, uint64_t start, uint64_t length, int to, uint64_t at) {
    struct file_clone_range range = {.src_fd = from, .src_offset = start, .src_length = length, .dest_offset = at};
    return ioctl(to, FICLONERANGE, &range);
}

int64_t portolan_copy_range(int from, int to, uint64_t length) {
    return copy_file_range(from, NULL, to, NULL, length, 0);
}

static int by_name(const FTSENT **first, const FTSENT **second) {
    return strcmp((*first)->fts_name, (*second)->fts_name);
}

portolan_tree *portolan_tree_open(char *root) {
    char *roots[] = {root, NULL};
    return (portolan_tree *)fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
}

portolan_tree_step portolan_tree_next(portolan_tree *tree, const char **path, void *status) {
    *path = NULL;
    errno = 0;
    FTSENT *entry = fts_read((FTS *)tree);
    if (!entry) return errno ? PORTOLAN_TREE_FAILED : PORTOLAN_TREE_END;
    *path = entry->fts_path;
    if (entry->fts_statp) memcpy(status, entry->fts_statp, sizeof(struct stat));
    switch (entry->fts_info) {
    case FTS_D: return PORTOLAN_TREE_ENTERING;
    case FTS_DP: return PORTOLAN_TREE_LEAVING;
    case FTS_F: return PORTOLAN_TREE_FILE;
    case FTS_SL:
    case FTS_SLNONE: return PORTOLAN_TREE_LINK;
    case FTS_DC: errno = ELOOP; return PORTOLAN_TREE_FAILED;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS: errno = entry->fts_errno; return PORTOLAN_TREE_FAILED;
    default: return PORTOLAN_TREE_SPECIAL;
    }
}

void portolan_tree_close(portolan_tree *tree) {
    fts_close((FTS *)tree);
}

int64_t portolan_get_attribute(int file, const char *name, void *value, uint64_t size) {
    return fgetxattr(file, name, value, size);
}

int portolan_accept(int listening, void *address, uint32_t *length) {
    return accept4(listening, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int portolan_name_thread(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

int portolan_forbid_reading_memory(void) {
    const struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void portolan_give_back_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 128 << 10);
    mallopt(M_ARENA_MAX, 4);
}

int64_t portolan_get_attribute_of_path(const char *path, const char *name, void *value, uint64_t size) {
    return getxattr(path, name, value, size);
}

int portolan_set_attribute(int file, const char *name, const void *value, uint64_t size) {
    return fsetxattr(file, name, value, size, 0);
}

int portolan_add_attribute(int file, const char *name, const void *value, uint64_t size) {
    return fsetxattr(file, name, value, size, XATTR_CREATE);
}

int64_t portolan_list_attributes(int file, void *names, uint64_t size) {
    return flistxattr(file, names, size);
}

/* The same number on all architectures but one, whose headers have its own. */
#ifndef SYS_getxattrat
#define SYS_getxattrat 464
#endif

int64_t portolan_get_attribute_below(
    int directory, const char *file, const char *name, void *value, uint32_t size) {
    /* As linux/xattr.h of Linux 6.13 has it. */
    struct {
        _Alignas(8) uint64_t value;
        uint32_t size;
        uint32_t flags;
    } arguments = {(uint64_t)(uintptr_t)value, size, 0};
    return syscall(SYS_getxattrat, directory, file, AT_SYMLINK_NOFOLLOW, name, &arguments, sizeof arguments);
}

#ifndef SYS_listxattrat
#define SYS_listxattrat 465
#endif

int64_t portolan_list_attributes_below(int directory, const char *file, void *names, uint64_t size) {
    return syscall(SYS_listxattrat, directory, file, AT_SYMLINK_NOFOLLOW, names, size);
}

int64_t portolan_list_directory(int directory, void *records, uint64_t size) {
    return getdents64(directory, records, size);
}

_Static_assert(offsetof(struct dirent64, d_reclen) == PORTOLAN_RECORD_LENGTH, "getdents64(2)");
_Static_assert(offsetof(struct dirent64, d_type) == PORTOLAN_RECORD_TYPE, "getdents64(2)");
_Static_assert(offsetof(struct dirent64, d_name) == PORTOLAN_RECORD_NAME, "getdents64(2)");

int portolan_timer(void) {
    return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
}

int portolan_set_timer(int timer, int64_t nanoseconds) {
    const struct itimerspec due = {
        .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME, &due, NULL);
}
