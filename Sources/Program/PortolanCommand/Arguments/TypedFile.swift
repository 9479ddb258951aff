import Foundation
import PortolanConcurrency
import PortolanValues

/// A small file that a command line names.
enum TypedFile {
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - limit: most bytes.
    /// - Throws: `CommandFailure` for a file that is not there, cannot be read or is larger.
    static func read(_ path: String, limit: Int) async throws -> [UInt8] {
        let data = try await beginning(of: path, limit + 1)
        guard data.count <= limit else {
            throw CommandFailure(
                .badData, "“\(DisplayText(path, limit: 300))” is larger than the \(limit) bytes that are read.")
        }
        return Array(data)
    }

    /// Reads `count` bytes of a file, or all of a shorter one.
    ///
    /// - Throws: `CommandFailure` for a file that is not there or cannot be read.
    static func beginning(of path: String, _ count: Int) async throws -> Data {
        let data = await withLookupThread { () -> Data? in
            let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
            return try? file?.read(upToCount: count) ?? (file == nil ? nil : Data())
        }
        guard let data else {
            throw CommandFailure(.noInput, "“\(DisplayText(path, limit: 300))” is not there, or cannot be read.")
        }
        return data
    }
}
