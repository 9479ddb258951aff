import Glibc
import PortolanValues

/// Canonical path of a source: identifies it again, even if it is named by another path.
package enum SourcePath {
    /// Returns the absolute path without links and dots, as raw bytes.
    ///
    /// - Throws: ``FileError`` if nothing is at the path.
    package static func resolved(_ path: String) throws(FileError) -> [UInt8] {
        guard let resolved = realpath(path.pathBytes, nil) else { throw .reading(DisplayText(path), .last) }
        defer { free(resolved) }
        return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }
}
