import CPortolanLinux
import Glibc
import PortolanTrust

/// Remembers with a stored file who may see it, so that the level is honoured when the file is passed on.
///
/// A level below ``Visibility/all`` is the extended attribute `user.portolan.visibility`, holding the level's name. No
/// attribute means `all`. It is on each file and folder of an item, and a folder's level covers what lies in it, so that
/// an editor which replaces a file does not open it to everyone. A value that this version does not know counts as the
/// strictest level. Symbolic links cannot have such attributes and keep none.
package enum StoredVisibility {
    package static let attribute = "user.portolan.visibility"

    /// The level of a file or folder: the strictest of its own and those of the folders it lies in.
    ///
    /// - Parameter path: followed where it is a symbolic link; the level is that of what it leads to.
    /// - Throws: ``FileError`` where the path leads nowhere or its attributes cannot be read.
    package static func read(_ path: String) throws(FileError) -> Visibility {
        guard let resolved = realpath(path, nil) else { throw .reading(DisplayText(path), .last) }
        defer { free(resolved) }
        var level = Visibility.all
        let whole = strlen(resolved)
        var end = whole
        while end > 0 {
            resolved[end] = 0
            do throws(SystemFailure) {
                level = max(level, try read { portolan_get_attribute_of_path(resolved, attribute, $0, $1) })
            } catch {
                // A folder above that may be passed and not read is none that we made, so it keeps no level of ours.
                if end == whole || error.number != EACCES { throw .reading(DisplayText(path), error) }
            }
            repeat { end -= 1 } while end > 0 && resolved[end] != CChar(UInt8(ascii: "/"))
        }
        return level
    }

    /// The level that is kept with an open file itself.
    static func read(_ file: Descriptor) throws(SystemFailure) -> Visibility {
        try read { portolan_get_attribute(file.number, attribute, $0, $1) }
    }

    /// Keeps a level with an open file or folder; `all` needs nothing kept.
    static func keep(_ level: Visibility, on file: Descriptor) throws(SystemFailure) {
        guard level != .all else { return }
        let text = level.description
        guard portolan_set_attribute(file.number, attribute, text, UInt64(text.utf8.count)) == 0 else { throw .last }
    }

    private static func read(
        _ getAttribute: (UnsafeMutableRawPointer?, UInt64) -> Int64
    ) throws(SystemFailure) -> Visibility {
        var value: (UInt64, UInt64) = (0, 0)
        let length = withUnsafeMutableBytes(of: &value) { getAttribute($0.baseAddress, UInt64($0.count)) }
        if length >= 0 {
            let text = withUnsafeBytes(of: value) { String(decoding: $0.prefix(Int(length)), as: UTF8.self) }
            return Visibility(text) ?? .ownProcess
        }
        switch errno {
        case ENODATA, ENOTSUP: return .all
        case ERANGE: return .ownProcess
        default: throw .last
        }
    }
}
