import Glibc
import PortolanFiles

/// The ignore file of a folder, as it is now.
enum RulesFile: Hashable, Sendable {
    case missing
    case text([UInt8])
    /// The rules are not known; why, in a clause. Nothing new in the folder is announced.
    case unusable(String)

    /// Reads the file. A link is followed to a regular file of this user.
    init(in folder: Descriptor, by storage: any ReadableStorage) {
        do throws(SystemFailure) {
            let kind = try storage.status(of: IgnoreRules.fileName, in: folder).kind
            guard kind == .file || kind == .symbolicLink else {
                self = .unusable("it is no file")
                return
            }
            let file =
                kind == .file
                ? try storage.openFile(IgnoreRules.fileName, in: folder)
                : try storage.open(path: "/proc/self/fd/\(folder.number)/\(IgnoreRules.fileName)")
            let status = try storage.status(of: file)
            guard status.kind == .file, kind == .file || status.owner == geteuid() else {
                self = .unusable("it leads to no file of this user")
                return
            }
            let bytes = try storage.read(file, at: 0, count: IgnoreRules.maximumBytes + 1)
            if bytes.count > IgnoreRules.maximumBytes {
                self = .unusable("it has more than \(IgnoreRules.maximumBytes) bytes")
            } else if IgnoreRules.patterns(of: bytes).count > IgnoreRules.maximumPatterns {
                self = .unusable("it has more than \(IgnoreRules.maximumPatterns) rules")
            } else {
                self = .text(bytes)
            }
        } catch {
            // A link to nothing is one whose rules are not known.
            let isThere = (try? storage.status(of: IgnoreRules.fileName, in: folder)) != nil
            self = error.number == ENOENT && !isThere ? .missing : .unusable(error.text)
        }
    }
}
