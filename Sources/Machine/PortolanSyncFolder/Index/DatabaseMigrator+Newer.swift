import Foundation
import GRDB

extension DatabaseMigrator {
    /// True if a newer version of the program has changed a database, which is not written: a connection that may write
    /// would set its journal mode at the beginning, and merge its log at the end.
    ///
    /// - Parameter path: path of the file, which may be missing.
    package func hasBeenSuperseded(at path: String) throws -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { try hasBeenSuperseded($0) }
    }
}
