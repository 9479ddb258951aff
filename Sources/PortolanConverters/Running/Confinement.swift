import CPortolanLinux

/// What keeps a converter's program in: layers that a kernel or a container may refuse, each of which works without the others.
///
/// A program runs with all layers that ``onThisMachine`` has, and also where it has none: then it has the rights of its user, a
/// folder of its own, a clean environment and limits of time and size. ``shortcomings`` says what is lost.
package struct Confinement: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ layer: some BinaryInteger) { self.init(rawValue: UInt32(layer)) }

    /// Landlock: reads programs, libraries and fonts of the system and its own folder, writes in that folder only.
    package static let landlock = Confinement(PORTOLAN_LAYER_LANDLOCK)
    /// Namespaces of its own for users, network, IPC and processes: no network, nobody else to see, nobody left when it ends.
    package static let namespaces = Confinement(PORTOLAN_LAYER_NAMESPACES)
    /// All but its folder is read-only, permissions and owners included.
    package static let readOnly = Confinement(PORTOLAN_LAYER_READ_ONLY)
    /// A filter of system calls: no sockets, no leaving the process group, no reaching into other processes.
    package static let filter = Confinement(PORTOLAN_LAYER_SECCOMP)

    /// The layers that hold here, found out once by trying them.
    package static let onThisMachine = Confinement(rawValue: portolan_confinement_layers())

    /// The version of Landlock's interface, 0 where there is none.
    package static var landlockVersion: Int { Int(portolan_landlock_version()) }

    /// Whether a program can read only what it is shown.
    package var hidesFiles: Bool { contains(.landlock) }
    /// Whether a program can change nothing outside its folder.
    package var protectsFiles: Bool { contains(.landlock) || contains(.readOnly) }
    /// Whether a program cannot talk to anybody.
    package var hasNoNetwork: Bool { contains(.namespaces) || contains(.filter) }
    /// Whether no process of a program outlives it.
    package var endsWhole: Bool { contains(.namespaces) || contains(.filter) }

    /// What a converter could do here, a sentence each; empty where everything holds.
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

/// What of the system a converter may read and run. What a machine does not have is passed over.
enum SystemFiles {
    static let readable =
        ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"]
        // Of /etc only what programs are set up by: it also holds what is nobody's business.
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
