import Portolan
import PortolanClient
import PortolanDiscovery

/// Peer in sight of this process or the agent.
struct PeerRow: Hashable, Sendable {
    /// Name on this device; for an unknown peer, the announced name.
    let name: String
    /// Announced name, which is unproven.
    let ownName: String
    /// Standing: `new`, `known`, `contact`, `member of acme (design)`.
    let standing: String
    let fingerprint: Fingerprint?
    let addresses: [String]
    let foundBy: String

    init(_ peer: Peer) {
        self.init(
            peer, isKnown: peer.isKnown, as: peer.localName,
            standing: peer.standing == .anyone ? nil : "\(peer.standing)", at: peer.addresses.map(\.description))
    }

    init(_ peer: AgentAPI.Peer) {
        let found = Peer(
            name: peer.announcedName ?? peer.name, fingerprint: peer.fingerprint.flatMap { Fingerprint(parsing: $0) },
            addresses: [], foundBy: peer.foundBy)
        let isNobody = !peer.contact && peer.memberships?.isEmpty ?? true
        self.init(
            found, isKnown: peer.known, as: peer.known ? peer.name : nil,
            standing: isNobody ? nil : DisplayText(peer.standing ?? "").text, at: peer.addresses)
    }

    private init(_ peer: Peer, isKnown: Bool, as localName: String?, standing: String?, at addresses: [String]) {
        name = localName ?? peer.name
        ownName = localName == nil ? peer.name : peer.ownName
        // A member of a team may be new to this device.
        self.standing = [isKnown ? nil : "new", standing].compactMap(\.self).joined(separator: ", ")
            .replacingEmpty(with: "known")
        fingerprint = peer.fingerprint
        self.addresses = addresses
        foundBy = peer.foundBy
    }
}

extension String {
    fileprivate func replacingEmpty(with other: String) -> String { isEmpty ? other : self }
}

/// Table of peers for 80 columns, if names and addresses are short enough: name, standing here, beginning of the key,
/// address.
enum PeerTable {
    private static let titles = ["NAME", "HERE", "KEY", "ADDRESS"]
    /// Cells of a column that more text is shortened to.
    private static let limits = [24, 20, FingerprintText.shortLength, 40]

    static func lines(_ rows: [PeerRow]) -> [String] {
        let table = [titles] + rows.map(cells)
        let widths = titles.indices.map { column in table.map { CellWidth.of($0[column]) }.max() ?? 0 }
        return table.map { row in
            let padded = row.indices.dropLast().map { column in
                row[column] + String(repeating: " ", count: widths[column] - CellWidth.of(row[column]))
            }
            return (padded + row.suffix(1)).joined(separator: "  ")
        }
    }

    /// Formats one peer in the same order, without columns.
    static func line(_ row: PeerRow) -> String { cells(row).joined(separator: "  ") }

    private static func cells(_ row: PeerRow) -> [String] {
        let address =
            switch row.addresses.count {
            case 0: "none"
            case 1: row.addresses[0]
            default: "\(row.addresses[0]) +\(row.addresses.count - 1)"
            }
        // Quotation marks distinguish a name from the program's words.
        let name = "“\(CellWidth.fitting(DisplayText(row.name, limit: 63).text, into: limits[0] - 2))”"
        let rest = [row.standing, row.fingerprint.map(FingerprintText.short) ?? "none", address]
        return [name] + rest.indices.map { CellWidth.fitting(rest[$0], into: limits[$0 + 1]) }
    }
}
