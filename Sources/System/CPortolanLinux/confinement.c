#define _GNU_SOURCE
#include "PortolanConfinement.h"
#include "layers.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x00001000
#endif

/* Where the child's descriptors lie once they are in order; all above are closed. */
enum { report_place = 3, ruleset_place = 4, places = 5 };

/* All that the child needs, made before it exists. */
struct preparation {
    const struct portolan_confinement *confinement;
    struct portolan_filter filter;
    /* As text, for the maps of a user namespace. */
    char user_map[64], group_map[64];
    int report, diagnostics, ruleset;
    sigset_t signals;
};

/* ---------------------------------------------------------------- in the child: async-signal-safe calls only */

static void tell(int report, int32_t step, int32_t value) {
    int32_t message[2] = {step, value};
    ssize_t ignored = write(report, message, sizeof message);
    (void)ignored;
}

static _Noreturn void give_up(int report, int step) {
    tell(report, step, errno);
    _exit(127);
}

static void reset_signals(void) {
    /* The kernel's own call: the C library's refuses two numbers that it keeps for itself, which may be ignored as others may.
       All zeros is the kernel's structure for SIG_DFL; its masks have eight bytes. */
    const unsigned char usual[64] = {0};
    for (int number = 1; number <= 64; number++) (void)syscall(SYS_rt_sigaction, number, usual, NULL, 8);
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_from(int first) {
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
    struct rlimit limit;
    int end = 65536;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536) end = (int)limit.rlim_cur;
    for (int file = first; file < end; file++) close(file);
}

/* Standard input, output and error, the report and the ruleset in their places, and nothing else of the parent's. */
static int arrange_descriptors(const struct preparation *given) {
    const int from[places] = {given->confinement->input, given->confinement->output, given->diagnostics,
                              given->report, given->ruleset};
    int aside[places];
    for (int place = 0; place < places; place++) {
        aside[place] = -1;
        if (from[place] >= 0 && (aside[place] = fcntl(from[place], F_DUPFD, places)) < 0) return -1;
    }
    for (int place = 0; place < places; place++) {
        if (aside[place] < 0) close(place);
        else if (dup3(aside[place], place, place >= report_place ? O_CLOEXEC : 0) < 0) return -1;
    }
    close_from(places);
    return 0;
}

static int write_text(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t length = (ssize_t)strlen(text);
    int result = write(file, text, (size_t)length) == length ? 0 : -1;
    int reason = errno;
    close(file);
    errno = reason;
    return result;
}

static int write_maps_of_self(const struct preparation *given) {
    if (write_text("/proc/self/setgroups", "deny") != 0 && errno != ENOENT) return -1;
    if (write_text("/proc/self/uid_map", given->user_map) != 0) return -1;
    return write_text("/proc/self/gid_map", given->group_map);
}

/* The user stays who it is: files keep their owner. */
static int map_user(const struct preparation *given) {
    /* The child of a process that is not dumpable is not dumpable either, and the files in /proc of such a process belong to root,
       who has no number in a new namespace. The child is dumpable while it writes them, and no longer. */
    const int is_dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
    if (!is_dumpable && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) return -1;
    int result = write_maps_of_self(given);
    int reason = errno;
    if (!is_dumpable && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -1;
    errno = reason;
    return result;
}

/* linux/mount.h has it, and cannot be read beside sys/mount.h everywhere. */
struct mount_attributes {
    uint64_t set, clear, propagation, user_namespace;
};

static int make_read_only(const char *folder) {
    const uint64_t read_only = 1;
    const struct mount_attributes tighten = {.set = read_only}, loosen = {.clear = read_only};
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return -1;
    if (folder && mount(folder, folder, NULL, MS_BIND, NULL) != 0) return -1;
    if (syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &tighten, sizeof tighten) != 0) return -1;
    if (folder && syscall(SYS_mount_setattr, AT_FDCWD, folder, 0, &loosen, sizeof loosen) != 0) return -1;
    return 0;
}

static int drop_privileges(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    /* Without a bounding set a program run as root has no privileges either. Who may not drop them has none. */
    for (int capability = 0; capability < 64; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) break;
    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    return (int)syscall(SYS_capset, &header, none);
}

static int limit(int resource, uint64_t value) {
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) return -1;
    if (value < now.rlim_max) now.rlim_max = value;
    now.rlim_cur = now.rlim_max;
    return setrlimit(resource, &now);
}

static int set_limits(const struct portolan_confinement *confinement) {
    if (limit(RLIMIT_CORE, 0) != 0 || limit(RLIMIT_FSIZE, confinement->file_size) != 0) return -1;
    if (limit(RLIMIT_CPU, confinement->processor_seconds) != 0) return -1;
    if (limit(RLIMIT_NOFILE, confinement->open_files) != 0) return -1;
    return limit(RLIMIT_AS, confinement->address_space);
}

static _Noreturn void become_program(struct preparation *given) {
    const struct portolan_confinement *confinement = given->confinement;
    umask(077);
    if (chdir(confinement->folder) != 0) give_up(report_place, PORTOLAN_STEP_FOLDER);
    if (drop_privileges() != 0) give_up(report_place, PORTOLAN_STEP_PRIVILEGES);
    if (set_limits(confinement) != 0) give_up(report_place, PORTOLAN_STEP_LIMITS);
    if (confinement->layers & PORTOLAN_LAYER_LANDLOCK) {
        portolan_landlock_allow_own_process(ruleset_place);
        if (portolan_landlock_enforce(ruleset_place) != 0) give_up(report_place, PORTOLAN_STEP_LANDLOCK);
    }
    if ((confinement->layers & PORTOLAN_LAYER_SECCOMP) && portolan_filter_enforce(&given->filter) != 0)
        give_up(report_place, PORTOLAN_STEP_SECCOMP);
    /* A program that is being written at this moment, as when a package is upgraded, is tried for half a second. */
    for (int attempt = 0; attempt < 50; attempt++) {
        execve(confinement->program, confinement->arguments, confinement->environment);
        if (errno != ETXTBSY) break;
        poll(NULL, 0, 10);
    }
    give_up(report_place, PORTOLAN_STEP_EXECUTE);
}

/* The first process of a PID namespace: when it ends, the kernel kills all others in there. It is not the program itself, which
   would not be subject to signals of its own (abort, SIGXFSZ) as first process. */
static _Noreturn void watch_over_program(struct preparation *given) {
    long program = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (program < 0) give_up(report_place, PORTOLAN_STEP_FORK);
    if (program == 0) become_program(given);
    /* What is left of the parent's memory in here is not for the program to read. */
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    for (int place = 0; place < places; place++)
        if (place != report_place) close(place);
    while (1) {
        int status = 0;
        pid_t ended = wait4(-1, &status, 0, NULL);
        if (ended == program) {
            tell(report_place, PORTOLAN_STEP_ENDED, status);
            _exit(0);
        }
        if (ended < 0 && errno != EINTR) give_up(report_place, PORTOLAN_STEP_FORK);
    }
}

static _Noreturn void in_child(struct preparation *given) {
    const uint32_t layers = given->confinement->layers;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    reset_signals();
    if (arrange_descriptors(given) != 0) give_up(given->report, PORTOLAN_STEP_DESCRIPTORS);
    /* A parent that ended before the first line left nobody at the other end. */
    struct pollfd reader = {.fd = report_place};
    if (poll(&reader, 1, 0) == 1 && (reader.revents & POLLERR)) _exit(127);
    if (setsid() < 0) give_up(report_place, PORTOLAN_STEP_PRIVILEGES);
    if (!(layers & PORTOLAN_LAYER_NAMESPACES)) become_program(given);
    if (map_user(given) != 0) give_up(report_place, PORTOLAN_STEP_NAMESPACES);
    if ((layers & PORTOLAN_LAYER_READ_ONLY) && make_read_only(given->confinement->folder) != 0)
        give_up(report_place, PORTOLAN_STEP_READ_ONLY);
    watch_over_program(given);
}

/* ---------------------------------------------------------------- in the parent */

static unsigned long namespaces(uint32_t layers) {
    unsigned long flags = 0;
    if (layers & PORTOLAN_LAYER_NAMESPACES) flags |= CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWPID;
    if (layers & PORTOLAN_LAYER_READ_ONLY) flags |= CLONE_NEWNS;
    return flags;
}

static void write_maps(struct preparation *given) {
    snprintf(given->user_map, sizeof given->user_map, "%u %u 1", geteuid(), geteuid());
    snprintf(given->group_map, sizeof given->group_map, "%u %u 1", getegid(), getegid());
}

/* fork(2) with more flags. The C library's locks may be held in the child for ever, which is why it calls none that takes one. */
static long divide(unsigned long flags, int *pidfd, sigset_t *before) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, before);
    long process = syscall(SYS_clone, flags | SIGCHLD | (pidfd ? CLONE_PIDFD : 0), 0, pidfd, 0, 0);
    if (process == 0) return 0;
    int reason = errno;
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = reason;
    return process;
}

static void close_both(const int ends[2]) {
    int reason = errno;
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
    errno = reason;
}

static int prepare(struct preparation *given, int report[2], int diagnostics[2]) {
    const struct portolan_confinement *confinement = given->confinement;
    const uint32_t layers = confinement->layers;
    write_maps(given);
    if (layers & PORTOLAN_LAYER_SECCOMP) {
        const struct portolan_filter_options options = {
            .others_in_reach = !(layers & PORTOLAN_LAYER_NAMESPACES),
            .files_in_reach = !(layers & PORTOLAN_LAYER_READ_ONLY),
        };
        if (!portolan_filter_make(&given->filter, options)) {
            errno = ENOSYS;
            return -1;
        }
    }
    if (pipe2(report, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    /* The program's end blocks, as programs expect. */
    if (pipe2(diagnostics, O_CLOEXEC) != 0 || fcntl(diagnostics[0], F_SETFL, O_NONBLOCK) != 0) return -1;
    given->report = report[1];
    given->diagnostics = diagnostics[1];
    given->ruleset = -1;
    if (!(layers & PORTOLAN_LAYER_LANDLOCK)) return 0;
    given->ruleset = portolan_landlock_ruleset(confinement->program, confinement->folder, confinement->readable);
    return given->ruleset < 0 ? -1 : 0;
}

int portolan_confined_start(
    const struct portolan_confinement *confinement, struct portolan_confined_process *process, int *step) {
    struct preparation given;
    given.confinement = confinement;
    int report[2] = {-1, -1}, diagnostics[2] = {-1, -1}, pidfd = -1;
    *step = PORTOLAN_STEP_PREPARE;
    long number = -1;
    if (prepare(&given, report, diagnostics) == 0) {
        number = divide(namespaces(confinement->layers), &pidfd, &given.signals);
        if (number == 0) in_child(&given);
        *step = confinement->layers & PORTOLAN_LAYER_NAMESPACES ? PORTOLAN_STEP_NAMESPACES : PORTOLAN_STEP_FORK;
        if (given.ruleset >= 0) close(given.ruleset);
    }
    if (number < 0) {
        close_both(report);
        close_both(diagnostics);
        return errno;
    }
    close(report[1]);
    close(diagnostics[1]);
    *process = (struct portolan_confined_process){
        .process = (pid_t)number, .pidfd = pidfd, .diagnostics = diagnostics[0], .report = report[0]};
    *step = 0;
    return 0;
}

/* Whether a child that asks for `layers` gets them. */
static int granted(uint32_t layers) {
    struct preparation given;
    write_maps(&given);
    sigset_t before;
    long process = divide(namespaces(layers), NULL, &before);
    if (process < 0) return 0;
    if (process == 0) {
        int held = 1;
        if (layers & PORTOLAN_LAYER_NAMESPACES) held = map_user(&given) == 0;
        if (held && (layers & PORTOLAN_LAYER_READ_ONLY)) held = make_read_only(NULL) == 0;
        if (held && (layers & PORTOLAN_LAYER_SECCOMP)) {
            const struct portolan_filter_options all = {.others_in_reach = 1, .files_in_reach = 1};
            held = portolan_filter_make(&given.filter, all) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                   portolan_filter_enforce(&given.filter) == 0;
        }
        if (held && (layers & PORTOLAN_LAYER_LANDLOCK)) {
            char *const nothing[] = {NULL};
            int ruleset = portolan_landlock_ruleset("/dev/null", "/dev/null", nothing);
            held = ruleset >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                   portolan_landlock_enforce(ruleset) == 0;
        }
        _exit(held ? 0 : 1);
    }
    int status = 0;
    while (waitpid((pid_t)process, &status, 0) < 0)
        if (errno != EINTR) return 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

uint32_t portolan_confinement_layers(void) {
    uint32_t layers = 0;
    if (granted(PORTOLAN_LAYER_LANDLOCK)) layers |= PORTOLAN_LAYER_LANDLOCK;
    if (granted(PORTOLAN_LAYER_SECCOMP)) layers |= PORTOLAN_LAYER_SECCOMP;
    if (granted(PORTOLAN_LAYER_NAMESPACES | PORTOLAN_LAYER_READ_ONLY))
        layers |= PORTOLAN_LAYER_NAMESPACES | PORTOLAN_LAYER_READ_ONLY;
    else if (granted(PORTOLAN_LAYER_NAMESPACES))
        layers |= PORTOLAN_LAYER_NAMESPACES;
    return layers;
}
