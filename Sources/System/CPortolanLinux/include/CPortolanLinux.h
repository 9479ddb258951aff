#ifndef PORTOLAN_LINUX_H
#define PORTOLAN_LINUX_H

/* What Linux has and Swift's Glibc module does not show: calls that are GNU extensions or have no wrapper in the C library.
   Each returns what the call returns, with errno set. Nothing is decided here. */

#include <stdint.h>

#include "PortolanConfinement.h"

/* openat2(2) that stays below `directory` and follows no link of any kind. ENOSYS where the kernel (< 5.6) has it not. */
int portolan_open_beneath(int directory, const char *path, int flags, uint32_t mode);

/* renameat2(2) with RENAME_NOREPLACE: EEXIST instead of replacing, EINVAL where the file system cannot promise that. */
int portolan_rename_without_replacing(int from_directory, const char *from, int to_directory, const char *to);

/* renameat2(2) with RENAME_EXCHANGE: the two change places. EINVAL where the file system cannot. */
int portolan_exchange(int from_directory, const char *from, int to_directory, const char *to);

/* fallocate(2) with FALLOC_FL_PUNCH_HOLE: the range reads as zeros and takes no space; the size stays. */
int portolan_punch_hole(int file, int64_t offset, int64_t length);

/* lseek(2) with SEEK_DATA and SEEK_HOLE: where the next data or the next hole begins, at or behind `offset`. ENXIO: there is
   none. They move the descriptor's position. */
int64_t portolan_find_data(int file, int64_t offset);
int64_t portolan_find_hole(int file, int64_t offset);

/* ioctl(2) with SIOCOUTQNSD: how many bytes a TCP socket was given and has not sent yet. */
int portolan_bytes_not_sent(int socket, int *count);

/* sync_file_range(2) with SYNC_FILE_RANGE_WRITE: starts writing pages back and waits for none of them. */
int portolan_start_writeback(int file, int64_t offset, int64_t length);

/* syncfs(2): everything written to the file system that `file` lies on reaches the disk. */
int portolan_sync_file_system(int file);

/* Packets with data that a TCP connection has sent, and those among them that it has sent again. */
int portolan_packets(int socket, uint32_t *sent, uint32_t *again);

/* Whether `file` lies in memory (tmpfs, ramfs), where there is nothing to reserve and nothing to write back. */
int portolan_is_in_memory(int file);

/* Whether `file` lies on a file system of this machine that lists each extended attribute which it can read: ext2 to ext4, XFS, Btrfs,
   F2FS, tmpfs. 0 for all others, which may do so as well. */
int portolan_lists_attributes(int file);

/* statx(2) with STATX_ATTR_MOUNT_ROOT: whether something is mounted at an open folder; 0 where the kernel (< 5.8) does not say. */
int portolan_is_mount_root(int folder);

/* statx(2) with STATX_BTIME: time when an open file was made, in nanoseconds since 1970; 0 where the file system does not say. */
int64_t portolan_birth(int file);

/* Whether the file system of `file` numbers its files alike at each mount: 0 for FAT, exFAT and FUSE. */
int portolan_keeps_numbers(int file);

/* statx(2) of `name` in a folder, a link not followed, or of the folder itself if it is empty: what chattr(1) has set that keeps even
   its owner from changing it; 0 where the file system does not say. */
enum { PORTOLAN_IMMUTABLE = 1, PORTOLAN_APPEND_ONLY = 2 };
int portolan_protection(int folder, const char *name);

/* fcntl(2) with F_SETLEASE, a read lease that is given back at once: 0 if nobody has the file open for writing, 1 if somebody has, -1
   where there are no leases (other file systems, files of other users). Whoever opens the file meanwhile waits until it is given back;
   the signal of that, SIGURG, is ignored. */
int portolan_is_written(int file);

/* fcntl(2) with F_SETLEASE, a write lease that is given back at once: 0 if nobody else has the file open, 1 if somebody has, -1 as above. */
int portolan_is_open(int file);

/* fcntl(2) with F_OFD_SETLK: a lock for reading of `length` bytes from `start`, or its end. Unlike other locks it belongs to the open
   file, and ends with it alone. EAGAIN or EACCES where another process has a lock for writing there. */
int portolan_lock_range(int file, int64_t start, int64_t length);
int portolan_unlock_range(int file, int64_t start, int64_t length);
/* fcntl(2) with F_OFD_GETLK: 1 if another process has a lock for writing in the range, 0 if none has, -1 on failure. */
int portolan_range_is_locked(int file, int64_t start, int64_t length);

/* accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC. `address` is a struct sockaddr, which would be this module's and not Glibc's if
   it were named here. */
int portolan_accept(int listening, void *address, uint32_t *length);

/* pthread_setname_np(3) for the calling thread; ERANGE for more than 15 bytes. */
int portolan_name_thread(const char *name);

/* setrlimit(2) with RLIMIT_CORE 0 and prctl(2) with PR_SET_DUMPABLE 0: no core file of this process is written, and only a process
   with CAP_SYS_PTRACE can attach to it or read its memory. A program that it executes is dumpable again, and keeps the limit. */
int portolan_forbid_reading_memory(void);

/* mallopt(3): what was large or is at an arena's end goes back to the system when it is freed, and there are 4 arenas at most. */
void portolan_give_back_memory(void);

/* ioctl(2) with FICLONE: the empty file `to` shares the blocks of `from` until one of them is written to. */
int portolan_clone_file(int from, int to);

/* ioctl(2) with FICLONERANGE: the range of `to` at `at` shares the blocks of `from` at `start`, likewise. */
int portolan_clone_range(int from, uint64_t start, uint64_t length, int to, uint64_t at);

/* copy_file_range(2) from and to where the two files stand: how many bytes the kernel has copied, 0 at the end. */
int64_t portolan_copy_range(int from, int to, uint64_t length);

/* fts(3), which Swift's modules show only by way of another's: a walk through a tree in the order of the names' bytes. A link
   at the root is followed, no other. */
typedef struct portolan_tree portolan_tree;
typedef enum {
    PORTOLAN_TREE_END, PORTOLAN_TREE_ENTERING, PORTOLAN_TREE_LEAVING, PORTOLAN_TREE_FILE, PORTOLAN_TREE_LINK,
    PORTOLAN_TREE_SPECIAL, PORTOLAN_TREE_FAILED
} portolan_tree_step;

/* NULL with errno set when there is no memory. */
portolan_tree *portolan_tree_open(char *root);
/* The next step; `path` is the tree's until the step after it. `status` is a struct stat, which would be this module's and not
   Glibc's if it were named here. FAILED sets errno, and `path` if it knows it. */
portolan_tree_step portolan_tree_next(portolan_tree *tree, const char **path, void *status);
void portolan_tree_close(portolan_tree *tree);

int64_t portolan_get_attribute(int file, const char *name, void *value, uint64_t size);
int64_t portolan_get_attribute_of_path(const char *path, const char *name, void *value, uint64_t size);
int portolan_set_attribute(int file, const char *name, const void *value, uint64_t size);
/* The same, with EEXIST where the attribute is there. */
int portolan_add_attribute(int file, const char *name, const void *value, uint64_t size);
/* flistxattr(2): each name with a closing NUL. */
int64_t portolan_list_attributes(int file, void *names, uint64_t size);
/* getxattrat(2) of `file` in `directory`, a link not followed. ENOSYS where the kernel (< 6.13) has it not. */
int64_t portolan_get_attribute_below(
    int directory, const char *file, const char *name, void *value, uint32_t size);
/* listxattrat(2), likewise. */
int64_t portolan_list_attributes_below(int directory, const char *file, void *names, uint64_t size);

/* getdents64(2): how many bytes of records were read, 0 at the end. Where the parts of a record are: */
enum { PORTOLAN_RECORD_LENGTH = 16, PORTOLAN_RECORD_TYPE = 18, PORTOLAN_RECORD_NAME = 19 };
int64_t portolan_list_directory(int directory, void *records, uint64_t size);

/* timerfd_create(2) by CLOCK_BOOTTIME, which goes on while the machine is suspended; read(2) waits until it is due. */
int portolan_timer(void);
/* timerfd_settime(2): due so many nanoseconds, more than 0, after the machine started; at once if that is over. */
int portolan_set_timer(int timer, int64_t nanoseconds);

/* The commit that the program was made of, and its day as YYYY-MM-DD; empty strings where the build was told none. */
const char *portolan_build_commit(void);
const char *portolan_build_date(void);

#endif
