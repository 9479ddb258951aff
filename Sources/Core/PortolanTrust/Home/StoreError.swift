import Glibc
import PortolanValues

/// Error of a file with this device's own state. Each message names the problem and the remedy.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The file or directory belongs to another user, who may have planted it.
        case foreignOwner(owner: UInt32)
        /// Other users can read or change the file.
        case tooOpen(mode: UInt32)
        /// Other users can change the file, which need not be secret.
        case writable(mode: UInt32)
        /// The file is of another kind than expected.
        case wrongKind(expected: String)
        /// The file is damaged, and its content cannot be reconstructed.
        case damaged(reason: String)
        /// The file is larger than any that this program writes.
        case tooLarge(limit: Int)
        /// Another process holds the lock for too long.
        case busy
        /// The store has no room for a further entry.
        case full(reason: String)
        /// A system call failed.
        case system(action: String, code: Int32)
    }

    public let kind: Kind
    public let path: String
    /// Remedy, if the kind alone does not imply it.
    public let remedy: String?
    /// Action that a program can offer.
    public let advice: Advice?

    package init(_ kind: Kind, path: String, remedy: String? = nil, advice: Advice? = nil) {
        self.kind = kind
        self.path = path
        self.remedy = remedy
        self.advice = if case .foreignOwner = kind { .chooseHome } else { advice }
    }

    public var description: String {
        let shown = DisplayText(path)
        let sentence =
            switch kind {
            case .foreignOwner(let owner):
                "\(shown) belongs to user \(owner), not to you (\(geteuid())), so it is not trusted. "
                    + "Run: chown -R \(geteuid()) \(quotedPath), or use another directory."
            case .tooOpen(let mode):
                "\(shown) is open to other users (mode \(octal(mode))), so what it holds is no secret. "
                    + "Run: chmod \(octal(mode & 0o700)) \(quotedPath)"
            case .writable(let mode):
                "\(shown) can be changed by other users (mode \(octal(mode))), so it is not trusted. "
                    + "Run: chmod go-w \(quotedPath)"
            case .wrongKind(let expected): "\(shown) is not \(expected). Move it away."
            case .damaged(let reason): "\(shown) is damaged: \(reason)."
            case .tooLarge(let limit): "\(shown) is larger than \(limit) bytes, so it is not what it should be."
            case .busy: "Another process has been holding \(shown) for too long. End it, then try again."
            case .full(let reason): "\(shown) is full: \(reason)."
            case .system(let action, let code): "Could not \(action) \(shown): \(String(cString: strerror(code)))."
            }
        return remedy.map { sentence + " " + $0 } ?? sentence
    }

    private var quotedPath: String { DisplayText.shellWord(path) }

    private func octal(_ mode: UInt32) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
