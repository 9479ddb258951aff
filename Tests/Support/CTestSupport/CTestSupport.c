#define _GNU_SOURCE
#include "CTestSupport.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

const unsigned long portolan_mount_bind = MS_BIND;
const int portolan_seek_data = SEEK_DATA;

// In TestThreads; not there in programs that are no tests.
__attribute__((weak)) void portolan_install_test_threads(void);

// Before the first task.
__attribute__((constructor)) static void install_test_threads(void) {
    if (portolan_install_test_threads) portolan_install_test_threads();
}

pid_t portolan_spawn(const struct portolan_spawn *what) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    pid_t pid = -1;
    int status = 0;

    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    if (!status) status = posix_spawn_file_actions_addchdir_np(&actions, what->directory);
    if (what->terminal) {
        // Opened by the leader of a new session, it becomes that session's controlling terminal.
        if (!status) status = posix_spawn_file_actions_addopen(&actions, 0, what->terminal, O_RDWR, 0);
        if (!status) status = posix_spawn_file_actions_adddup2(&actions, 0, 1);
        if (!status) status = posix_spawn_file_actions_adddup2(&actions, 0, 2);
    } else {
        if (!status) status = posix_spawn_file_actions_adddup2(&actions, what->input, 0);
        if (!status) status = posix_spawn_file_actions_adddup2(&actions, what->output, 1);
        if (!status) status = posix_spawn_file_actions_adddup2(&actions, what->error, 2);
    }
    if (!status) status = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (!status) status = posix_spawnp(&pid, what->path, &actions, &attributes, what->arguments, what->environment);

    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return status ? -status : pid;
}

int portolan_leave_this_machine(void) {
    int spaces = CLONE_FS | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID;
    if (unshare(spaces)) return -errno;
    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ? -errno : 0;
}

int portolan_obey_permissions(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &header, data)) return -errno;
    data[0].effective &= ~(1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH);
    return syscall(SYS_capset, &header, data) ? -errno : 0;
}

int portolan_set_host_name(const char *name) { return sethostname(name, strlen(name)) ? -errno : 0; }

int portolan_mount(const char *source, const char *target, const char *type, unsigned long flags, const char *data) {
    return mount(source, target, type, flags, data) ? -errno : 0;
}

int portolan_unmount(const char *target) { return umount2(target, MNT_DETACH) ? -errno : 0; }

int portolan_open_terminal(char *path, size_t length) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0) return -errno;
    if (grantpt(master) || unlockpt(master) || ptsname_r(master, path, length)) {
        int status = errno;
        close(master);
        return -status;
    }
    return master;
}

int portolan_open_capture(const char *interface) {
    int index = (int)if_nametoindex(interface), room = 32 << 20, status;
    if (!index) return -errno;
    // It hears nothing before it is bound, and then only this interface.
    int capture = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (capture < 0) return -errno;
    struct packet_mreq others = {.mr_ifindex = index, .mr_type = PACKET_MR_PROMISC};
    struct timeval patience = {.tv_usec = 100 * 1000};
    struct sockaddr_ll place = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = index};
    if (setsockopt(capture, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &others, sizeof others) ||
        setsockopt(capture, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) ||
        setsockopt(capture, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) ||
        bind(capture, (struct sockaddr *)&place, sizeof place)) {
        status = errno;
        close(capture);
        return -status;
    }
    return capture;
}

static int open_multicast(const char *address, int port) {
    int on = 1, all = 255, status;
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct ip_mreq group;
    struct timeval patience = {.tv_usec = 100 * 1000};
    inet_pton(AF_INET, address, &group.imr_interface);
    inet_pton(AF_INET, "224.0.0.251", &group.imr_multiaddr);
    // Port 5353 hears what is sent to the group; another port only what is sent to it.
    if (port != 5353) place.sin_addr = group.imr_interface;
    int speaker = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (speaker < 0) return -errno;
    if (setsockopt(speaker, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
        setsockopt(speaker, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) ||
        setsockopt(speaker, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) ||
        bind(speaker, (struct sockaddr *)&place, sizeof place) ||
        setsockopt(speaker, IPPROTO_IP, IP_MULTICAST_IF, &group.imr_interface, sizeof group.imr_interface) ||
        setsockopt(speaker, IPPROTO_IP, IP_MULTICAST_TTL, &all, sizeof all) ||
        (port == 5353 && setsockopt(speaker, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group))) {
        status = errno;
        close(speaker);
        return -status;
    }
    return speaker;
}

int portolan_open_speaker(const char *network, const char *address, int port) {
    int home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC), away = open(network, O_RDONLY | O_CLOEXEC);
    int result = home < 0 || away < 0 || setns(away, CLONE_NEWNET) ? -errno : open_multicast(address, port);
    if (home >= 0 && setns(home, CLONE_NEWNET)) result = -ENOTRECOVERABLE;
    if (home >= 0) close(home);
    if (away >= 0) close(away);
    return result;
}

int portolan_frames_lost(int capture) {
    struct tpacket_stats lost = {0};
    socklen_t size = sizeof lost;
    return getsockopt(capture, SOL_PACKET, PACKET_STATISTICS, &lost, &size) ? -errno : (int)lost.tp_drops;
}

int portolan_open_tap(const char *interface) {
    // Without IFF_VNET_HDR the kernel cuts segments to the MTU and computes the checksums.
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    int status, tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (tap < 0) return -errno;
    strncpy(request.ifr_name, interface, sizeof request.ifr_name - 1);
    if (ioctl(tap, TUNSETIFF, &request)) {
        status = errno;
        close(tap);
        return -status;
    }
    return tap;
}

bool portolan_wait_for_frame(int descriptor, int ending, long long nanoseconds) {
    struct pollfd places[] = {{.fd = descriptor, .events = POLLIN}, {.fd = ending}};
    struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    ppoll(places, 2, nanoseconds < 0 ? NULL : &limit, NULL);
    return !places[1].revents;
}

bool portolan_holds(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
    return memmem(bytes, count, wanted, wanted_count) != NULL;
}

int portolan_give_attribute(const char *path, const char *name, const void *value, size_t count) {
    return setxattr(path, name, value, count, 0) == 0 ? 0 : -errno;
}
