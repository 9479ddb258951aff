import Glibc
import PortolanValues

/// Why a file of this device's own state cannot be used. Each says what happened and what to do about it.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The file or directory belongs to another user, and so may be a trap.
        case foreignOwner(owner: UInt32)
        /// Other users can read or change it.
        case tooOpen(mode: UInt32)
        /// Other users can change it, and it need not be secret.
        case writable(mode: UInt32)
        /// Not the kind of file it should be.
        case wrongKind(expected: String)
        /// It is damaged; what it should hold cannot be made up.
        case damaged(reason: String)
        /// It is greater than anything this program writes.
        case tooLarge(limit: Int)
        /// Another process has been holding it for too long.
        case busy
        /// There is no room left for what should be remembered.
        case full(reason: String)
        /// The system refused.
        case system(action: String, code: Int32)
    }

    public let kind: Kind
    public let path: String
    /// What to do, where the kind alone does not say it.
    public let remedy: String?
    /// What a program can offer to do about it.
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
