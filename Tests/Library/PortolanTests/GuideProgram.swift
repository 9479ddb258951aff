import Portolan

/// Sends a file and a text together. True if the peer has both on its disk.
func share(_ file: String, from node: Node, to peer: Peer) async throws -> Bool {
    let deliveries = try await node.send([.file(at: file), .text("Bring a pen.")], to: peer)
    return deliveries.allSatisfy(\.isStored)
}

/// Takes one text, and shows its sender's name without the control characters that it may hold.
func nextText(at node: Node) async throws -> String? {
    for try await text in node.receive(String.self) {
        print("from", DisplayText(text.peer.localName))
        return text.value
    }
    return nil
}
