import PortolanFiles
import PortolanProtocol
import Testing

@testable import PortolanTransport

/// Entries that a peer sends: which are stored and which are left out.
struct ArrivedEntryTests {
    private func arrived(
        _ name: [UInt8], _ kind: TreeEntryElement.Kind = .folder, attributes: [[UInt8]] = []
    ) throws -> ArrivedEntry {
        let encoded = attributes.isEmpty ? [] : try TreeAttributes.encode(attributes.map { ($0, [1]) })
        return try name.withUnsafeBytes { name in
            try encoded.withUnsafeBytes { encoded in
                try ArrivedEntry(
                    TreeEntryElement(
                        index: 3, parent: 2, name: name, kind: kind, permissions: 0o755,
                        modified: Timestamp(seconds: 0, nanoseconds: 0),
                        attributes: encoded.isEmpty ? nil : TreeAttributes(checked: encoded)),
                    rootName: FileName("root"))
            }
        }
    }

    private func refused(_ entry: ArrivedEntry) -> RefusedEntry? {
        if case .refused(let refused) = entry { refused } else { nil }
    }

    @Test(arguments: [[0xFF, 0x61], Array("..".utf8), Array("a/b".utf8), [0x07], Array(".portolan-partial-x".utf8)])
    func entryWithARefusedNameIsOmitted(_ name: [UInt8]) throws {
        func expected(isFolder: Bool = false, isLinkTarget: Bool = false) -> RefusedEntry {
            RefusedEntry(
                index: 3, parent: 2, name: name, isFolder: isFolder, isLinkTarget: isLinkTarget, reason: .name)
        }
        let file = TreeEntryElement.Kind.file(TreeEntryElement.File(size: 1, isLinkTarget: true))
        #expect(try refused(arrived(name)) == expected(isFolder: true))
        #expect(try refused(arrived(name, file)) == expected(isLinkTarget: true))
        #expect(try refused(arrived(name, .hardLink(to: 1))) == expected())
    }

    @Test(arguments: [Array("/etc".utf8), Array("a/../b".utf8), [0xFF], Array("a\nb".utf8)])
    func linkWithARefusedTargetIsOmitted(_ target: [UInt8]) throws {
        let name = Array("link".utf8)
        let entry = try target.withUnsafeBytes { try arrived(name, .symbolicLink(target: $0)) }
        #expect(refused(entry) == RefusedEntry(index: 3, parent: 2, name: name, reason: .linkLeavesItem))
    }

    @Test func onlyTheRefusedAttributeIsOmitted() throws {
        let long = [UInt8](repeating: 0x61, count: 251)
        for other in [Array("portolan.visibility".utf8), [0xFF], long] {
            guard case .stored(let entry) = try arrived([0x61], attributes: [[0x62], other]) else {
                Issue.record("it was left out")
                continue
            }
            #expect(entry.attributes.map(\.name) == ["b"] && entry.lacksAttributes)
        }
        guard case .stored(let entry) = try arrived([0x61], attributes: [[0x62]]) else {
            Issue.record("it was left out")
            return
        }
        #expect(!entry.lacksAttributes)
    }
}
