#define _GNU_SOURCE
#include "CPortolanLinux.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
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

int portolan_reserve_space(int file, int64_t length) {
    return fallocate(file, FALLOC_FL_KEEP_SIZE, 0, length);
}

int portolan_start_writeback(int file, int64_t offset, int64_t length) {
    return sync_file_range(file, offset, length, SYNC_FILE_RANGE_WRITE);
}

int portolan_sync_file_system(int file) {
    return syncfs(file);
}

int portolan_is_in_memory(int file) {
    struct statfs status;
    if (fstatfs(file, &status) != 0) return 0;
    return (unsigned long)status.f_type == TMPFS_MAGIC || (unsigned long)status.f_type == RAMFS_MAGIC;
}

int64_t portolan_get_attribute(int file, const char *name, void *value, uint64_t size) {
    return fgetxattr(file, name, value, size);
}

int64_t portolan_get_attribute_of_path(const char *path, const char *name, void *value, uint64_t size) {
    return getxattr(path, name, value, size);
}

int portolan_set_attribute(int file, const char *name, const void *value, uint64_t size) {
    return fsetxattr(file, name, value, size, 0);
}
