import Foundation
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanValues
import Synchronization
import Testing

@testable import Portolan

/// The shelf as a stranger sees it, and how often the view reads the disk for that.
@Suite struct ShelfViewTests {
    /// Counts looks at the disk.
    private final class Looks {
        var count = 0
        /// Called instead of a look.
        var refresh: (Item) throws -> Item = { $0 }

        func view(of shelf: Shelf) -> ShelfView {
            ShelfView(shelf: shelf, standing: .anyone, audience: nil) { item in
                self.count += 1
                return try self.refresh(item)
            }
        }
    }

    private static func item(_ title: String, _ visibility: Visibility = .all) -> Item {
        Item(
            title: title,
            representations: [.data(Data("x".utf8), contentType: .utf8PlainText, visibility: visibility)])
    }

    private static func describe(_ item: ResolvedItem) -> OfferedItem? {
        guard let type = try? OfferedType(identifier: "public.utf8-plain-text"),
            let form = try? OfferedRepresentation(type: type, channel: .data, size: 1)
        else { return nil }
        return try? OfferedItem(title: item.title, representations: [form])
    }

    /// Titles of each part of a list.
    private static func parts(_ view: ShelfView, most: Int = 0) throws -> [[String]] {
        var listing = ShelfListCursor()
        var parts: [[String]] = []
        var place: [UInt8] = []
        repeat {
            let part = try #require(try listing.part(after: place, most: most, of: view, describedBy: describe))
            parts.append(part.items.map(\.item.title))
            place = part.next
        } while !place.isEmpty
        return parts
    }

    @Test("a request looks at the item that it names, and at nothing for one that is hidden or not there")
    func requestsLookOnce() throws {
        let (shelf, looks) = (Shelf(), Looks())
        let hidden = shelf.put((0..<1000).map { Self.item("hidden \($0)", .team) }) { _ in }
        let shown = shelf.put((0..<1000).map { Self.item("shown \($0)") }) { _ in }
        let view = looks.view(of: shelf)
        let made = try #require(ItemID(Array(repeating: 7, count: ItemID.length)))
        for id in [made, hidden[0], hidden[999]] { #expect(try view.look(at: id) == nil) }
        #expect(looks.count == 0)
        #expect(try view.look(at: shown[500])?.item.title == "shown 500")
        #expect(looks.count == 1)
    }

    @Test("a list looks at each item that it shows once, and at one more for each further part")
    func listsLookOnce() throws {
        let (shelf, looks) = (Shelf(), Looks())
        _ = shelf.put((0..<4000).map { Self.item("\($0)") }) { _ in }
        let parts = try Self.parts(looks.view(of: shelf))
        #expect(parts.joined().elementsEqual((0..<4000).map(String.init)))
        #expect(parts.dropLast().allSatisfy { $0.count == ShelfListCursor.usualPart })
        #expect(looks.count == 4000 + parts.count - 1)
    }

    @Test("hidden items make neither looks at the disk nor restrictions to compare", arguments: [0, 1, 1000])
    func hiddenItemsCauseNoDiskAccess(count: Int) throws {
        let (shelf, looks) = (Shelf(), Looks())
        for number in 0..<10 {
            _ = shelf.put([Self.item("\(number)")]) { _ in }
            _ = shelf.put((0..<count / 10).map { Self.item("hidden \($0)", .team) }) { _ in }
        }
        let parts = try Self.parts(looks.view(of: shelf), most: 4)
        #expect(parts == [["0", "1", "2", "3"], ["4", "5", "6", "7"], ["8", "9"]])
        #expect(looks.count == 12)
        var compared = 0
        _ = shelf.groups { _ in
            compared += 1
            return true
        }
        #expect(compared <= 2)
    }

    @Test("a list goes on where it stood, after items were shared or withdrawn meanwhile")
    func listsContinueAfterChanges() throws {
        let (shelf, looks) = (Shelf(), Looks())
        let ids = shelf.put(["a", "b", "c", "d"].map { Self.item($0) }) { _ in }
        let view = looks.view(of: shelf)
        var listing = ShelfListCursor()
        func next(_ place: [UInt8]) throws -> (titles: [String], next: [UInt8])? {
            try listing.part(after: place, most: 2, of: view, describedBy: Self.describe)
                .map { ($0.items.map(\.item.title), $0.next) }
        }
        let first = try #require(try next([]))
        #expect(first.titles == ["a", "b"])
        shelf.withdraw([ids[1], ids[2]])
        _ = shelf.put([Self.item("e")]) { _ in }
        let second = try #require(try next(first.next))
        #expect(second.titles == ["d"] && second.next.isEmpty)
        // A withdrawn item is no position in any other list.
        #expect(try next(ids[1].bytes) == nil)
        #expect(try next(ids[0].bytes)?.titles == ["d", "e"])
    }

    @Test("an item that is marked for fewer since it was shared is hidden, and looked at no more")
    func marksAreRemembered() throws {
        let (shelf, looks) = (Shelf(), Looks())
        let ids = shelf.put([Self.item("a"), Self.item("b")]) { _ in }
        looks.refresh = { item in
            guard item.title == "a" else { return item }
            var marked = item
            marked.representations[0].kept = .nobody
            return marked
        }
        let view = looks.view(of: shelf)
        #expect(try Self.parts(view) == [["b"]])
        looks.count = 0
        #expect(try Self.parts(view) == [["b"]])
        #expect(try view.look(at: ids[0]) == nil)
        #expect(looks.count == 1)
    }

    @Test("an item whose file became something else is withdrawn, and its owner is told once")
    func replacedItemsAreWithdrawn() throws {
        let (shelf, looks) = (Shelf(), Looks())
        let told = Mutex<[String]>([])
        let ids = shelf.put([Self.item("a"), Self.item("b")]) { event in
            guard case .withdrawn(_, let title, let reason) = event else { return }
            told.withLock { $0.append("\(title): \(reason)") }
        }
        looks.refresh = { item in
            guard item.title == "a" else { return item }
            throw FileError(.sourceChanged, "It is a link.")
        }
        let view = looks.view(of: shelf)
        #expect(try Self.parts(view) == [["b"]])
        #expect(try view.look(at: ids[0]) == nil)
        #expect(told.withLock(\.self) == ["a: It is a link."])
        #expect(shelf.count == 1)
    }

    @Test("a peer is told to ask later when no more files can be opened")
    func reportsThatItIsBusy() throws {
        let (shelf, looks) = (Shelf(), Looks())
        let ids = shelf.put([Self.item("a")]) { _ in }
        looks.refresh = { _ in throw FileError(.tooManyOpenFiles, "No descriptor is left.") }
        let view = looks.view(of: shelf)
        #expect {
            _ = try view.look(at: ids[0])
        } throws: { error in
            if case TransportError.busy = error { true } else { false }
        }
        #expect(shelf.count == 1)
    }
}
