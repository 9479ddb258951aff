import CPortolanLinux
import Glibc
import Testing

@testable import PortolanFiles

/// Ways to walk a source.
enum WalkMethod {
    /// Features of kernels that reading uses.
    static let kernels = [
        KernelFeatures.detected,
        KernelFeatures(openBeneath: false, renameWithoutReplacing: false, hardLinks: false),
    ]

    /// Returns all entries, and the omissions as `path reason`.
    static func all(_ tree: SourceTree) throws -> (entries: [SourceEntry], omissions: [String]) {
        var entries: [SourceEntry] = []
        while let next = try tree.next() { entries.append(next) }
        return (entries, tree.report.omissions.map { "\($0.shownPath) \($0.reason.rawValue)" })
    }
}

extension SourceFile {
    /// Reads the content to its end.
    func content() throws -> [UInt8] { try contentAndGrowth().content }

    /// The content, and whether the file grew while it was read.
    func contentAndGrowth() throws -> (content: [UInt8], hasGrown: Bool) {
        var bytes = [UInt8](repeating: 0, count: Int(size))
        try bytes.withUnsafeMutableBytes { try fill($0, from: 0) }
        return (bytes, try bytes.withUnsafeBytes { try confirmUnchanged($0) })
    }
}

/// Sets an extended attribute as any program can.
///
/// - Returns: true if the file system took it.
func setAttribute(_ name: [UInt8], of path: String, to value: [UInt8]) -> Bool {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    return portolan_set_attribute(file, name.map { CChar(bitPattern: $0) } + [0], value, UInt64(value.count)) == 0
}
