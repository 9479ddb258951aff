import PortolanValues

/// Target of a symbolic link in an item: a relative path that can be checked by itself for staying inside the item.
///
/// `..` may stand only at the start. The folders above a link are real ones, so these steps lead to the real parents;
/// after a name, `..` would depend on the target of that name, and a chain of links that each look harmless could leave
/// the item.
package struct LinkTarget: Hashable, Sendable, CustomStringConvertible {
    /// Longest target that symlink(2) takes, without the closing NUL.
    package static let maximumBytes = 4095

    package let text: String
    /// Number of `..` components at the start of the path.
    package let stepsUp: Int

    package init(_ bytes: some Collection<UInt8>) throws(LinkRefusal) {
        if bytes.isEmpty { throw .empty }
        if bytes.count > Self.maximumBytes { throw .tooLong }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .name(.notUTF8) }
        if text.utf8.first == UInt8(ascii: "/") { throw .absolute }
        var stepsUp = 0
        var goesDown = false
        for part in text.utf8.split(separator: UInt8(ascii: "/")) {
            let component = String(part) ?? ""
            if component == "." { continue }
            if component == ".." {
                if goesDown { throw .turnsBack }
                stepsUp += 1
            } else {
                if let refusal = NameRefusal.ofComponent(component) { throw .name(refusal) }
                goesDown = true
            }
        }
        self.text = text
        self.stepsUp = stepsUp
    }

    /// - Parameter depth: depth of the folder that contains the link; the item itself has depth 0.
    package func staysInside(fromDepth depth: Int) -> Bool { stepsUp <= depth }

    package var description: String { DisplayText(text).text }

    package static func == (one: LinkTarget, other: LinkTarget) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

/// Reason why a symbolic link is not sent.
package enum LinkRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    case tooLong
    case absolute
    /// `..` after a name.
    case turnsBack
    case name(NameRefusal)

    package var description: String {
        switch self {
        case .empty: "a symbolic link to nothing"
        case .tooLong: "a symbolic link with more than \(LinkTarget.maximumBytes) bytes"
        case .absolute: "a symbolic link with an absolute path"
        case .turnsBack: "a symbolic link that goes down and up again"
        case .name(let refusal): "a symbolic link through \(refusal)"
        }
    }
}
