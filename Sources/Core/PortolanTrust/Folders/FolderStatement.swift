import PortolanCrypto
import PortolanValues

/// Statement for whom a folder that is kept alike is (SYNC.md 8), with the one way to write it.
package struct FolderStatement: Hashable, Sendable {
    /// Devices of a folder's audience.
    package enum Part: Hashable, Sendable {
        /// A contact of the signer, with the name that it had there.
        case contact(PinnedKey, DeviceName)
        /// A team, or one of its groups, with the name of the team.
        case team(TeamID, TeamName, GroupName?)
    }

    package static let saltLength = 16
    /// Bounds of a statement: bytes, parts, and keepers.
    package static let mostBytes = 2048
    package static let mostParts = 32
    package static let mostKeepers = 8

    /// From 1; each statement has a greater one than those that its signer knows.
    package var version: UInt32
    package let maker: PinnedKey
    package let salt: [UInt8]
    /// Identifier of a folder that is older than statements: its maker could not commit to it.
    package let former: [UInt8]?
    /// SHA-256 of the maker's statement that this one follows; nil for the maker's first.
    package var before: [UInt8]?
    package var signer: PinnedKey
    /// Ordered by ``Part/order``, each once.
    package var parts: [Part]
    /// Devices that may sign further statements, beside the maker; ordered, each once.
    package var keepers: [PinnedKey]

    /// The first statement about a folder.
    ///
    /// - Parameter former: identifier of a folder that is older than statements.
    package init(
        by maker: PinnedKey, for parts: [Part], keepers: [PinnedKey] = [], salt: [UInt8] = newSalt(),
        former: [UInt8]? = nil
    ) {
        (version, self.maker, signer, self.salt, self.former) = (1, maker, maker, salt, former)
        (self.parts, self.keepers) = (Self.sorted(parts), Self.sorted(keepers))
    }

    package static func newSalt() -> [UInt8] { (0..<saltLength).map { _ in .random(in: .min ... .max) } }

    /// Identifier of the folder, 16 bytes: it commits to the maker.
    package var folder: [UInt8] {
        former ?? Array(sha256([Array("portolan/1 folder".utf8), maker.bytes, salt]).prefix(16))
    }

    /// Team of all parts, whose admins may sign, too; nil for a folder of contacts or of several teams.
    package var onlyTeam: TeamID? {
        var teams: Set<TeamID> = []
        for part in parts {
            guard case .team(let team, _, _) = part else { return nil }
            teams.insert(team)
        }
        return teams.count == 1 ? teams.first : nil
    }

    package static func sorted(_ parts: [Part]) -> [Part] {
        var known: Set<[UInt8]> = []
        return parts.filter { known.insert($0.order).inserted }
            .sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }

    package static func sorted(_ keys: [PinnedKey]) -> [PinnedKey] { Set(keys).sorted { $0.precedes($1) } }
}

extension FolderStatement.Part {
    /// Bytes by which parts are told apart, and ordered.
    fileprivate var order: [UInt8] {
        switch self {
        case .contact(let key, _): [1] + key.bytes
        case .team(let team, _, let group): [2] + team.bytes + Array((group?.comparisonKey ?? "").utf8)
        }
    }

    /// Text for people, the same on all devices; safe to print.
    package var text: String {
        switch self {
        case .contact(_, let name): "\(name)"
        case .team(_, let name, let group): "@\(name)" + (group.map { "/\($0)" } ?? "")
        }
    }
}

// MARK: - Bytes

extension FolderStatement {
    private static let format: UInt8 = 1
    private static let none = [UInt8](repeating: 0, count: 32)

    package func encode() -> [UInt8] {
        var bytes = [Self.format] + withUnsafeBytes(of: version.bigEndian, Array.init)
        bytes += maker.bytes + salt + (former ?? Array(Self.none.prefix(16))) + (before ?? Self.none) + signer.bytes
        bytes.append(UInt8(clamping: parts.count))
        for part in parts {
            switch part {
            case .contact(let key, let name): bytes += [1] + key.bytes + Self.text(name.text)
            case .team(let team, let name, let group):
                bytes += [2] + team.bytes + Self.text(name.text) + Self.text(group?.text ?? "")
            }
        }
        bytes.append(UInt8(clamping: keepers.count))
        return bytes + keepers.flatMap(\.bytes)
    }

    private static func text(_ text: String) -> [UInt8] { [UInt8(clamping: text.utf8.count)] + Array(text.utf8) }

    /// Decodes a statement: bounds first, then each part, last that the bytes are the one way to write it.
    package init(decoding bytes: [UInt8]) throws(FolderStatementError) {
        guard bytes.count <= Self.mostBytes else { throw .tooLarge }
        var reader = Reader(rest: bytes[...])
        guard try reader.take(1) == [Self.format] else { throw .malformed }
        version = try reader.take(4).reduce(0) { $0 << 8 | UInt32($1) }
        maker = try reader.key()
        salt = try reader.take(Self.saltLength)
        let former = try reader.take(16)
        self.former = former.allSatisfy { $0 == 0 } ? nil : former
        let before = try reader.take(32)
        self.before = before == Self.none ? nil : before
        signer = try reader.key()
        let partCount = try reader.take(1)[0]
        guard partCount <= Self.mostParts else { throw .tooLarge }
        var parts: [Part] = []
        for _ in 0..<partCount { parts.append(try reader.part()) }
        let keeperCount = try reader.take(1)[0]
        guard keeperCount <= Self.mostKeepers else { throw .tooLarge }
        var keepers: [PinnedKey] = []
        for _ in 0..<keeperCount { keepers.append(try reader.key()) }
        (self.parts, self.keepers) = (Self.sorted(parts), Self.sorted(keepers))
        guard version > 0, reader.rest.isEmpty, encode() == bytes else { throw .malformed }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ count: Int) throws(FolderStatementError) -> [UInt8] {
            guard rest.count >= count else { throw .malformed }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }

        mutating func key() throws(FolderStatementError) -> PinnedKey {
            guard let key = PinnedKey(bytes: try take(32)) else { throw .malformed }
            return key
        }

        private mutating func text() throws(FolderStatementError) -> String {
            let length = try take(1)[0]
            guard let text = String(validating: try take(Int(length)), as: UTF8.self) else { throw .malformed }
            return text
        }

        mutating func part() throws(FolderStatementError) -> Part {
            switch try take(1)[0] {
            case 1:
                let key = try key()
                guard let name = try? DeviceName(try text()) else { throw .malformed }
                return .contact(key, name)
            case 2:
                let id = try take(TeamID.length)
                let (team, group) = (try text(), try text())
                guard let id = TeamID(bytes: id), let name = try? TeamName(team) else { throw .malformed }
                if group.isEmpty { return .team(id, name, nil) }
                guard let group = try? GroupName(group) else { throw .malformed }
                return .team(id, name, group)
            default: throw .malformed
            }
        }
    }
}

/// Reason why a statement about a folder is refused.
package enum FolderStatementError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge
    case malformed
    case badSignature
    /// The maker's statement that it follows is missing, or another one.
    case wrongBefore

    package var description: String {
        switch self {
        case .tooLarge:
            "A folder is for \(FolderStatement.mostParts) teams, groups and contacts at most, with "
                + "\(FolderStatement.mostKeepers) keepers; name a group instead."
        case .malformed: "This is no statement about a folder."
        case .badSignature: "The signature of the statement about a folder is not valid."
        case .wrongBefore: "The statement about a folder does not follow one by its maker."
        }
    }
}
