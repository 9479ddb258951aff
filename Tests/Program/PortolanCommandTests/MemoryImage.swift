import Foundation
import Glibc
import Testing

/// The memory of a stopped process as in a core dump: all writable mappings, except those that are left out of core
/// dumps (`MADV_DONTDUMP`).
struct MemoryImage {
    private let regions: [Data]

    /// - Parameter process: a process that this one may trace.
    init(of process: pid_t) throws {
        let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
        let reason = String(cString: strerror(errno))
        try #require(memory >= 0, "the memory of process \(process) cannot be read: \(reason)")
        defer { close(memory) }
        regions = try Self.dumped(process).map { range in
            var data = Data(count: range.count)
            let count = data.withUnsafeMutableBytes { pread(memory, $0.baseAddress, $0.count, off_t(range.lowerBound)) }
            return data.prefix(max(0, count))
        }
    }

    func contains(_ bytes: [UInt8]) -> Bool {
        let wanted = Data(bytes)
        return regions.contains { $0.range(of: wanted) != nil }
    }

    private static func dumped(_ process: pid_t) throws -> [Range<UInt>] {
        var found: [Range<UInt>] = []
        var current: Range<UInt>?
        // The kernel gives it a page at a time.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process)/smaps"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        for line in text.split(separator: "\n") {
            if let mapping = line.wholeMatch(of: /([0-9a-f]+)-([0-9a-f]+) (....) .*/) {
                let isWritable = mapping.3.hasPrefix("rw")
                let (start, end) = (try #require(UInt(mapping.1, radix: 16)), try #require(UInt(mapping.2, radix: 16)))
                current = isWritable ? start..<end : nil
            } else if line.hasPrefix("VmFlags:"), let range = current {
                if !line.split(separator: " ").contains("dd") { found.append(range) }
            }
        }
        try #require(!found.isEmpty, "process \(process) has no memory")
        return found
    }
}
