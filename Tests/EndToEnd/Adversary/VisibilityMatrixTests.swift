import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import Synchronization
import Testing
import UniformTypeIdentifiers

/// Visibility of a representation, over real connections: every level for every kind of peer, in each way in which a
/// peer could learn of it.
@Suite(.serialized) struct VisibilityMatrixTests {
    @Test("an item is listed only to peers that may see it", arguments: VisibilityCell.all)
    func itemIsListedOnlyForEntitledPeers(cell: VisibilityCell) async throws {
        let scene = try VisibilityScene(cell.viewer)
        defer { scene.remove() }
        let offer = try await scene.offer(of: scene.item(cell.visibility))
        let types = offer.items[0].representations.map(\.type.identifier)
        #expect(types.contains(UTType.html.identifier) == cell.isVisible)
        #expect(types.last == UTType.utf8PlainText.identifier)
    }

    @Test("no part of an offer reveals a hidden representation", arguments: VisibilityCell.all)
    func hiddenRepresentationIsNotCounted(cell: VisibilityCell) async throws {
        let scene = try VisibilityScene(cell.viewer)
        defer { scene.remove() }
        let with = try await scene.offer(of: scene.item(cell.visibility))
        let without = try await scene.offer(of: scene.item(nil))
        #expect(with.items[0].representations.count == (cell.isVisible ? 2 : 1))
        #expect(try (with.bytesWithoutSources == without.bytesWithoutSources) == !cell.isVisible)
    }

    @Test(
        "a request for a hidden item is answered like one for an item that never existed", arguments: VisibilityCell.all
    )
    func requestForAHiddenItemLooksLikeAMissingOne(cell: VisibilityCell) async throws {
        let scene = try VisibilityScene(cell.viewer)
        defer { scene.remove() }
        // The index is that of the last representation in the sender's own list; hidden ones shift those after them.
        let asked = try await scene.answer(to: scene.item(cell.visibility), with: 1)
        #expect(asked == (cell.isVisible ? .isSent : .isEnded(.badIndex)))
        #expect(try await scene.answer(to: scene.item(cell.visibility), with: 31) == .isEnded(.badIndex))
    }

    @Test(
        "an item that a peer may not see any more is treated as if it had never been offered",
        arguments: VisibilityCell.all)
    func withdrawnItemLooksLikeAMissingOne(cell: VisibilityCell) async throws {
        let scene = try VisibilityScene(cell.viewer)
        defer { scene.remove() }
        let asked = try await scene.answer(to: scene.item(cell.visibility), with: 0) { try scene.withdraw() }
        // The first visible representation: the one for all is always visible.
        let stays = cell.visibility == .all || !cell.isVisible
        #expect(asked == (stays ? .isSent : .isEnded(.badIndex)))
    }

    @Test(
        "an item without a visible representation is not offered, and the peer learns nothing of it",
        arguments: VisibilityCell.all)
    func itemWithoutAVisibleFormIsNotOffered(cell: VisibilityCell) async throws {
        let scene = try VisibilityScene(cell.viewer)
        defer { scene.remove() }
        var item = scene.item(cell.visibility)
        item.representations.removeLast()
        #expect(try await scene.isOffered(item) == cell.isVisible)
    }
}
