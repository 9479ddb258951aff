import Portolan
import PortolanFiles

/// A pattern for the path of a folder: `Pictures/{sender}/{date}`.
///
/// Each field becomes one safe path component, which a sender cannot leave. A `{name}` at the end is the item itself.
package struct PolicyFolder: Sendable, Hashable {
    private enum Field: String, CaseIterable {
        case sender, date, year, month, name
    }

    private enum Piece: Sendable, Hashable {
        case text(String)
        case field(Field)
    }

    private static let mostBytes = 1024
    private static let mostParts = 16

    private let isAbsolute: Bool
    private let parts: [[Piece]]

    /// - Parameter userHome: path that `~` stands for.
    /// - Throws: `ValueError` that names the accepted forms.
    package static func parse(_ text: String, userHome: String) throws(ValueError) -> PolicyFolder {
        guard text.utf8.count <= mostBytes else {
            throw ValueError("The path of a folder has at most \(mostBytes) bytes.")
        }
        let path = text.hasPrefix("~/") ? userHome + text.dropFirst() : text
        var parts: [[Piece]] = []
        for part in path.split(separator: "/") { parts.append(try pieces(of: part)) }
        guard !parts.isEmpty, parts.count <= mostParts else {
            throw ValueError("A folder has 1 to \(mostParts) names between slashes.")
        }
        let isAbsolute = path.hasPrefix("/")
        if isAbsolute, parts[0].contains(where: { if case .field = $0 { true } else { false } }) {
            throw ValueError("An absolute path begins with a name, not with a field.")
        }
        if parts.last == [.field(.name)] { parts.removeLast() }
        return PolicyFolder(isAbsolute: isAbsolute, parts: parts)
    }

    private static func pieces(of part: Substring) throws(ValueError) -> [Piece] {
        var pieces: [Piece] = []
        var rest = part
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            let field = rest[open...].dropFirst()
            guard rest[open] == "{", let close = field.firstIndex(of: "}"),
                let known = Field(rawValue: String(field[..<close]))
            else {
                let fields = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
                throw ValueError("“\(DisplayText(part, limit: 40))” has a field that is none of these: \(fields).")
            }
            if open != rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
            pieces.append(.field(known))
            rest = field[close...].dropFirst()
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        if case .text(let literal)? = pieces.first, pieces.count == 1 {
            _ = try translating(FileName(literal)) { (error: NameRefusal) in
                ValueError("A folder cannot have \(error): “\(DisplayText(literal, limit: 40))”.")
            }
        }
        return pieces
    }

    /// Folder of all paths for items, up to the first field; nil if they are relative to another folder.
    var fixedPath: String? {
        guard isAbsolute else { return nil }
        let names = parts.prefix { pieces in pieces.allSatisfy { if case .text = $0 { true } else { false } } }
        return "/" + names.map { $0.map(Self.literal).joined() }.joined(separator: "/")
    }

    private static func literal(_ piece: Piece) -> String {
        if case .text(let text) = piece { text } else { "" }
    }

    /// Path for an item: absolute, or relative to the inbox folder, for which `nil` stands.
    func path(for item: PolicyOffer.Item, in offer: PolicyOffer) -> String? {
        if parts.isEmpty { return nil }
        let names = parts.map { pieces in
            if case .text(let literal)? = pieces.first, pieces.count == 1 { return literal }
            let text = pieces.map { Self.text($0, item, offer) }.joined()
            return FileName.sanitised(fromLocal: Array(text.utf8)).ofItem.text
        }
        return (isAbsolute ? "/" : "") + names.joined(separator: "/")
    }

    /// Owners of the last components of that path: the sender for those that are named after it or its item, else nil.
    /// Those of an absolute path up to the first field are the user's own.
    func owners(in offer: PolicyOffer) -> [String?] {
        let fixed =
            isAbsolute
            ? parts.firstIndex { $0.contains { if case .field = $0 { true } else { false } } } ?? parts.count : 0
        return parts[fixed...].map { pieces in
            pieces.contains(.field(.sender)) || pieces.contains(.field(.name)) ? offer.peer.folderOwner : nil
        }
    }

    private static func text(_ piece: Piece, _ item: PolicyOffer.Item, _ offer: PolicyOffer) -> String {
        switch piece {
        case .text(let text): text
        case .field(.sender): offer.peer.folderName
        case .field(.name): item.name.isEmpty ? "item" : item.name
        case .field(.date): offer.time?.date ?? "undated"
        case .field(.year): offer.time.map { PolicyTime.padded($0.year, 4) } ?? "undated"
        case .field(.month): offer.time.map { PolicyTime.padded($0.month, 2) } ?? "undated"
        }
    }
}

extension PolicyOffer.Peer {
    /// Number of characters of a stranger's fingerprint in the name of its folder.
    private static let shortFingerprint = 9

    /// Name of its folder. A stranger chooses its name itself, so that a part of its fingerprint follows.
    fileprivate var folderName: String {
        guard isStranger, let fingerprint else { return name }
        return "\(DisplayText(name, limit: 63)) \(fingerprint.description.prefix(Self.shortFingerprint))"
    }

    /// Text that is equal for all offers of one sender, and no other one's. A contact has its name from the user of
    /// this device, and keeps its folder with a new key.
    fileprivate var folderOwner: String {
        if let contactKey { return "contact \(contactKey)" }
        return "key \(fingerprint?.description ?? name)"
    }
}
