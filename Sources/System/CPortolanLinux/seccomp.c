#define _GNU_SOURCE
#include "layers.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define OWN_ARCHITECTURE AUDIT_ARCH_RISCV64
#else
#define OWN_ARCHITECTURE 0
#endif

/* Calls that no converter needs and that lead out of what holds it. socketpair(2) stays: it reaches nobody. */
static const unsigned forbidden[] = {
    /* Talking to others, also by a ring that makes calls no filter sees. */
    __NR_socket, __NR_io_uring_setup,
    /* Leaving the process group, by which all of a converter's processes are ended. */
    __NR_setsid, __NR_setpgid,
    /* Reaching into other processes. */
    __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_kcmp,
#ifdef __NR_pidfd_getfd
    __NR_pidfd_getfd,
#endif
#ifdef __NR_process_madvise
    __NR_process_madvise,
#endif
    /* New namespaces and mounts, in which a process has privileges again. */
    __NR_unshare, __NR_setns, __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot,
#ifdef __NR_open_tree
    __NR_open_tree, __NR_move_mount, __NR_fsopen, __NR_fsconfig, __NR_fsmount, __NR_fspick,
#endif
#ifdef __NR_mount_setattr
    __NR_mount_setattr,
#endif
    /* Parts of the kernel that are for administrators or are attacked often. */
    __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_add_key, __NR_request_key, __NR_keyctl, __NR_init_module,
    __NR_finit_module, __NR_delete_module, __NR_kexec_load, __NR_open_by_handle_at, __NR_name_to_handle_at, __NR_acct,
    __NR_swapon, __NR_swapoff, __NR_reboot, __NR_quotactl, __NR_syslog,
};

static const unsigned reaching_others[] = {
    __NR_kill, __NR_tkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo,
#ifdef __NR_pidfd_send_signal
    __NR_pidfd_send_signal,
#endif
};

/* Landlock leaves these alone, whatever the file. */
static const unsigned reaching_files[] = {
#ifdef __NR_chmod
    __NR_chmod, __NR_chown, __NR_lchown,
#endif
    __NR_fchmodat, __NR_fchownat, __NR_truncate, __NR_setxattr, __NR_lsetxattr, __NR_removexattr, __NR_lremovexattr,
#ifdef __NR_fchmodat2
    __NR_fchmodat2,
#else
    452,
#endif
};

#define COUNT(calls) (sizeof(calls) / sizeof *(calls))

/* Two instructions for a call, and what stands around them. */
_Static_assert(
    2 * (COUNT(forbidden) + COUNT(reaching_others) + COUNT(reaching_files)) + 16 <= PORTOLAN_FILTER_CAPACITY,
    "a filter that does not fit");

static void add(struct portolan_filter *filter, struct sock_filter instruction) {
    filter->instructions[filter->count++] = instruction;
}

static void refuse(struct portolan_filter *filter, unsigned call, int reason) {
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)reason));
}

static void refuse_all(struct portolan_filter *filter, const unsigned *calls, size_t count) {
    for (size_t index = 0; index < count; index++) refuse(filter, calls[index], EPERM);
}

int portolan_filter_make(struct portolan_filter *filter, struct portolan_filter_options options) {
    filter->count = 0;
    if (OWN_ARCHITECTURE == 0) return 0;
    /* Calls in another processor's numbering would go by other names. */
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
#if defined(__x86_64__)
    /* The x32 numbering. */
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
#endif
    refuse_all(filter, forbidden, COUNT(forbidden));
    if (options.others_in_reach) refuse_all(filter, reaching_others, COUNT(reaching_others));
    if (options.files_in_reach) refuse_all(filter, reaching_files, COUNT(reaching_files));
    /* clone3 keeps its flags in memory, where a filter cannot look; the C library falls back to clone. */
    refuse(filter, __NR_clone3, ENOSYS);
    const unsigned namespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |
                                CLONE_NEWCGROUP;
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3));
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])));
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, namespaces, 0, 1));
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    return 1;
}

int portolan_filter_enforce(struct portolan_filter *filter) {
    struct sock_fprog program = {.len = filter->count, .filter = filter->instructions};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
