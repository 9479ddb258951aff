import Glibc

/// The process's umask, read when it is first asked for.
///
/// umask(2) returns it only when setting another one, which would apply to files that other threads create meanwhile.
struct Umask: Sendable {
    private var isRead = false
    private var known: UInt16?

    /// Returns those of the nine permission bits that the umask removes; nil if unknown.
    mutating func bits() -> UInt16? {
        if !isRead {
            known = Self.read()
            isRead = true
        }
        return known
    }

    private static func read() -> UInt16? {
        let number = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = Descriptor(owning: number)
        // The umask is in the second line, after a short name.
        var start = [UInt8](repeating: 0, count: 512)
        let count = retrying { Glibc.read(file.number, &start, start.count) }
        guard count > 0 else { return nil }
        return bits(in: String(decoding: start.prefix(count), as: UTF8.self))
    }

    /// Parses the umask in a process's status, in the format of proc(5).
    static func bits(in status: String) -> UInt16? {
        let field = "Umask:\t"
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field) }) else { return nil }
        return UInt16(line.dropFirst(field.count), radix: 8).map { $0 & 0o777 }
    }
}
