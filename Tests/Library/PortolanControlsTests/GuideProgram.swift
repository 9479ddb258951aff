import Foundation
import PortolanControls

enum Find: Transferable {
    case link(URL)
    case words(String)

    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation { Find.link($0) }
        ProxyRepresentation { Find.words($0) }
    }
}

/// Accepts links and texts that others drop here, all of one offer together; false would refuse them.
func collect(at node: Node, _ keep: @escaping @Sendable ([Find]) async -> Bool) async throws {
    try await node.dropDestination(for: Find.self) { finds, session in
        print(session.itemsCount, "from", DisplayText(session.peer.localName))
        return await keep(finds)
    } isTargeted: { isComing in
        print(isComing ? "Something is coming." : "That was it.")
    }
}

/// Sends a page with a title and words that are shown before anything is taken.
func share(_ page: URL, from node: Node, to peer: Peer) async throws -> Bool {
    let link = ShareLink(item: page, message: "For the meeting", preview: SharePreview("The agenda"))
    let deliveries = try await node.send(link, to: peer)
    return deliveries.allSatisfy(\.isStored)
}

/// Copies, and pastes as the requested type; the content of the pasteboard can also be sent.
func copyAndPaste(_ recipe: some Transferable, from node: Node, to peer: Peer) async throws -> [String] {
    try Pasteboard.general.copy([recipe])
    _ = try await node.send(Pasteboard.general.items, to: peer)
    guard Pasteboard.general.canPaste(String.self) else { return [] }
    return try await Pasteboard.general.paste(String.self)
}
