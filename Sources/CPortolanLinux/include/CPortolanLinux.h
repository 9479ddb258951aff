#ifndef PORTOLAN_LINUX_H
#define PORTOLAN_LINUX_H

/* What Linux has and Swift's Glibc module does not show: calls that are GNU extensions or have no wrapper in the C library.
   Each returns what the call returns, with errno set. Nothing is decided here. */

#include <stdint.h>

/* openat2(2) that stays below `directory` and follows no link of any kind. ENOSYS where the kernel (< 5.6) has it not. */
int portolan_open_beneath(int directory, const char *path, int flags, uint32_t mode);

/* renameat2(2) with RENAME_NOREPLACE: EEXIST instead of replacing, EINVAL where the file system cannot promise that. */
int portolan_rename_without_replacing(int from_directory, const char *from, int to_directory, const char *to);

/* fallocate(2) with FALLOC_FL_KEEP_SIZE, from the file's start: room is reserved, the size stays. */
int portolan_reserve_space(int file, int64_t length);

/* sync_file_range(2) with SYNC_FILE_RANGE_WRITE: starts writing pages back and waits for none of them. */
int portolan_start_writeback(int file, int64_t offset, int64_t length);

/* syncfs(2): everything written to the file system that `file` lies on reaches the disk. */
int portolan_sync_file_system(int file);

/* Whether `file` lies in memory (tmpfs, ramfs), where there is nothing to reserve and nothing to write back. */
int portolan_is_in_memory(int file);

int64_t portolan_get_attribute(int file, const char *name, void *value, uint64_t size);
int64_t portolan_get_attribute_of_path(const char *path, const char *name, void *value, uint64_t size);
int portolan_set_attribute(int file, const char *name, const void *value, uint64_t size);

#endif
