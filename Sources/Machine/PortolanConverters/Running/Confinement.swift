import CPortolanLinux

/// Confinement of a converter's program: layers that a kernel or a container may lack, each of which works without the
/// others.
///
/// A program runs with all layers of ``onThisMachine``, and also without any: then it has the rights of its user, a
/// folder of its own, a clean environment and limits of time and size. ``shortcomings`` lists the missing protections.
package struct Confinement: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ layer: some BinaryInteger) { self.init(rawValue: UInt32(layer)) }

    /// Landlock: the program reads programs, libraries and fonts of the system and its own folder, and writes only in
    /// that folder.
    package static let landlock = Confinement(PORTOLAN_LAYER_LANDLOCK)
    /// Namespaces of its own for users, network, IPC and processes: no network, no other processes in sight, and none
    /// that outlive the program.
    ///
    /// Landlock and the filter do not replace them. Of 14 ways of a program to reach what is outside, 8 are open with
    /// these two layers on Linux 6.18 (Landlock 7): it reads shared memory of the user's other programs, takes their
    /// message queues, lowers their priority, pins them to a processor, makes them idle, reads their limits, sees that
    /// a file exists and sets its times. With namespaces and ``readOnly`` one is left: that a file exists.
    package static let namespaces = Confinement(PORTOLAN_LAYER_NAMESPACES)
    /// Mounts outside its folder are read-only, permissions and owners included.
    package static let readOnly = Confinement(PORTOLAN_LAYER_READ_ONLY)
    /// System call filter: no sockets, no change of the process group, no access to other processes.
    package static let filter = Confinement(PORTOLAN_LAYER_SECCOMP)

    /// Layers that work on this machine, tested once.
    package static let onThisMachine = Confinement(rawValue: portolan_confinement_layers())

    /// Version of Landlock's interface, 0 without Landlock.
    package static var landlockVersion: Int { Int(portolan_landlock_version()) }

    /// True if a program can read only its own files and those of the system.
    package var hidesFiles: Bool { contains(.landlock) }
    /// True if a program cannot change files outside its folder.
    package var protectsFiles: Bool { contains(.landlock) || contains(.readOnly) }
    /// True if a program cannot use the network.
    package var hasNoNetwork: Bool { contains(.namespaces) || contains(.filter) }
    /// True if no process of a program outlives it.
    package var endsWhole: Bool { contains(.namespaces) || contains(.filter) }

    /// Missing protections on this machine, a sentence each; empty if there are none.
    package var shortcomings: [String] {
        var sentences: [String] = []
        if !hidesFiles { sentences.append("Converters can read every file of this user: the kernel has no Landlock.") }
        if !protectsFiles {
            sentences.append(
                "Converters can change files of this user: there is neither Landlock nor a mount namespace.")
        }
        if !hasNoNetwork {
            sentences.append(
                "Converters can use the network: there are neither namespaces nor filters of system calls.")
        }
        if !endsWhole { sentences.append("A converter can leave processes behind, for the same reason.") }
        return sentences
    }
}

/// Files of the system that a converter may read and run. Missing ones are skipped.
enum SystemFiles {
    static let readable =
        ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"]
        // Only the parts of /etc that programs need: it also holds private files.
        + [
            "/etc/alternatives", "/etc/fonts", "/etc/group", "/etc/ImageMagick-6", "/etc/ImageMagick-7",
            "/etc/ld.so.cache",
            "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/localtime", "/etc/magic",
            "/etc/mime.types", "/etc/nsswitch.conf", "/etc/paperspecs", "/etc/papersize", "/etc/passwd",
            "/etc/ssl/openssl.cnf", "/etc/timezone",
        ]
        + ["/var/cache/fontconfig", "/var/lib/fonts", "/var/lib/ghostscript"]
        + ["/dev/zero", "/dev/urandom", "/dev/random"]
        + ["/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm/overcommit_memory", "/sys/devices/system/cpu"]
}
