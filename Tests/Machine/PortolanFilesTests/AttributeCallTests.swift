import CPortolanLinux
import Glibc
import PortolanValues
import Synchronization
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Attributes are asked for only where there can be any.
@Suite struct AttributeCallTests {
    let temporary = TemporaryFolder.inMemory()
    private static let plain = 20

    /// Counts the calls for attributes of files.
    private final class CountingStorage: PassThroughStorage {
        private let listsAll: Bool
        private let calls = Mutex((lists: 0, values: 0))

        init(listsAll: Bool) { self.listsAll = listsAll }

        var lists: Int { calls.withLock(\.lists) }
        var values: Int { calls.withLock(\.values) }

        func listsAllAttributes(in folder: Descriptor) -> Bool { listsAll }

        func listAttributes(
            of name: UnsafePointer<CChar>, in folder: Descriptor, into names: UnsafeMutableRawBufferPointer
        ) throws(SystemFailure) -> Int {
            calls.withLock { $0.lists += 1 }
            return try disk.listAttributes(of: name, in: folder, into: names)
        }

        func listAttributes(
            of file: Descriptor, into names: UnsafeMutableRawBufferPointer
        ) throws(SystemFailure) -> Int {
            calls.withLock { $0.lists += 1 }
            return try disk.listAttributes(of: file, into: names)
        }

        func readAttribute(
            _ attribute: UnsafePointer<CChar>, of name: UnsafePointer<CChar>, in folder: Descriptor,
            into value: UnsafeMutableRawBufferPointer
        ) throws(SystemFailure) -> Int {
            calls.withLock { $0.values += 1 }
            return try disk.readAttribute(attribute, of: name, in: folder, into: value)
        }

        func readAttribute(
            _ attribute: UnsafePointer<CChar>, of file: Descriptor, into value: UnsafeMutableRawBufferPointer
        ) throws(SystemFailure) -> Int {
            calls.withLock { $0.values += 1 }
            return try disk.readAttribute(attribute, of: file, into: value)
        }
    }

    private struct Seen: Equatable {
        var names: [String] = []
        var withheld: [String] = []
        var omissions: [String] = []
        var attributes: [Int] = []
    }

    private func walk(_ storage: CountingStorage, _ options: SourceOptions) throws -> Seen {
        let tree = try SourceTree(path: temporary("tree"), options: options, storage: storage)
        var seen = Seen()
        while let next = try tree.next() {
            seen.names.append(next.entry.name.text)
            seen.attributes.append(next.entry.attributes.count)
        }
        seen.withheld = tree.withheld.entries.map { "\($0.path)" }
        seen.omissions = tree.report.omissions.map { "\($0)" }
        return seen
    }

    private func set(_ attribute: String, of name: String, to value: [UInt8]) throws {
        let file = Descriptor(owning: open(temporary("tree/\(name)"), O_RDONLY))
        try KernelStorage().setAttribute(attribute, value, of: file)
    }

    @Test(
        "files without attributes take one call, with the same result",
        arguments: [false, true], [false, true])
    func calls(looking: Bool, attributes: Bool) throws {
        temporary.folder("tree")
        for number in 0..<Self.plain { temporary.file("tree/plain \(number)", "x") }
        for name in ["marked", "noted", "received"] { temporary.file("tree/\(name)", "x") }
        try set(StoredVisibility.attribute, of: "marked", to: RestrictionText.bytes(of: .team(.acme)))
        try set("user.note", of: "noted", to: [1])
        try set("user.portolan.received", of: "received", to: Array("1 2.3 644".utf8))
        let options = SourceOptions(looking: looking, attributes: attributes)
        let (asked, listed) = (CountingStorage(listsAll: false), CountingStorage(listsAll: true))
        let seen = try walk(asked, options)
        #expect(try walk(listed, options) == seen)
        #expect(seen.names.count == Self.plain + 3 && seen.withheld.count == 1)
        // The folder itself is read for both, too.
        #expect(asked.values >= Self.plain + 3 && asked.lists >= Self.plain + 2)
        #expect(listed.values <= 4 && listed.lists <= Self.plain + 6)
    }

    @Test("more names than there is room for count as not known")
    func manyNames() throws {
        let status = try KernelStorage().status(ofPath: "/")
        let many = AttributeNames(of: status, on: status.identity.device) { _ throws(SystemFailure) in
            throw SystemFailure(ERANGE)
        }
        #expect(many.mayHold("user.any") && !many.isNone)
        let elsewhere = AttributeNames(of: status, on: nil) { _ throws(SystemFailure) in 0 }
        #expect(elsewhere.mayHold("user.any") && !elsewhere.isNone)
        let none = AttributeNames(of: status, on: status.identity.device) { _ throws(SystemFailure) in 0 }
        #expect(!none.mayHold("user.any") && none.isNone)
    }
}
