import PortolanValues
import SyncPlanSupport
import Testing

@testable import PortolanSyncPlan

/// Marks of versions: for whom a file is.
@Suite struct MarkTests {
    private let name = SyncName("a")
    private let acme: TeamID
    private let other: TeamID

    init() throws {
        acme = try #require(TeamID(bytes: [UInt8](repeating: 1, count: 16)))
        other = try #require(TeamID(bytes: [UInt8](repeating: 2, count: 16)))
    }

    private func team(_ id: TeamID) throws -> Restriction { Restriction(.team, for: try Audience(team: id)) }

    private func groups(_ names: String...) throws -> Restriction {
        Restriction(.group, for: try Audience(team: acme, groups: names.map { try GroupName($0) }))
    }

    private func replica(_ number: UInt64) -> ReplicaID { ReplicaID(device: DeviceID(number), epoch: number) }

    private func index(_ number: UInt64 = 9) -> MemoryIndex {
        MemoryIndex(replica: replica(number), author: "I", rootHandle: FileHandleID(1))
    }

    /// A file that a device has made.
    private func file(
        _ device: UInt64, _ mark: Restriction, content: UInt64 = 1, named name: SyncName? = nil
    ) -> NodeRecord {
        let dot = Dot(replica(device), 1)
        var record = NodeRecord(id: NodeID(dot), kind: .file)
        record.move(dot, to: NodePlace(.root, name ?? self.name))
        var form = ContentForm(ContentDigest(content))
        if mark != .everyone { form.extended.mark = RestrictionText.bytes(of: mark) }
        record.write(dot, FileVersion(form: form), replacing: [])
        return record
    }

    private func shown(_ records: [NodeRecord], _ name: SyncName? = nil) -> [TreeItem] {
        var index = index()
        #expect(index.receive(records).isEmpty)
        return RecordView(index).items(in: [.root], named: name ?? self.name)
    }

    @Test("the narrower of two marks of equal files counts, in any order")
    func narrower() throws {
        let cases: [(Restriction, Restriction, Restriction)] = [
            (try team(acme), try groups("design"), try groups("design")),
            (try groups("design", "print"), try groups("design"), try groups("design")),
            (try groups("design", "print"), try groups("print", "sales"), try groups("print")),
            (.everyone, try groups("design"), try groups("design")),
            (try team(acme), try team(other), .nobody),
            (try team(acme), .nobody, .nobody),
            (try team(acme), try team(acme), try team(acme)),
        ]
        for (one, two, both) in cases {
            for marks in [[one, two], [two, one]] {
                let items = shown([file(1, marks[0]), file(2, marks[1])])
                #expect(items.map { $0.content?.form.restriction } == [both], "\(one), \(two)")
            }
        }
    }

    @Test("files with disjoint groups have no audience, with a third version too")
    func disjoint() throws {
        let marks = [try groups("design"), try groups("print"), try team(acme)]
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let items = shown(order.enumerated().map { file(UInt64($0.offset) + 1, marks[$0.element]) })
            #expect(items.map { $0.content?.form.restriction } == [.nobody], "\(order)")
        }
    }

    @Test("a version with the name of a conflict gives its mark to the equal file of that name")
    func displaced() throws {
        let records = [file(1, .everyone), file(2, try team(acme), content: 2)]
        let copies = shown(records).filter(\.isDisplaced)
        let copy = try #require(copies.first)
        let all = records + [file(3, .everyone, content: 2, named: copy.name)]
        #expect(shown(all, copy.name).map { $0.content?.form.restriction } == [try team(acme)])
    }

    @Test("a deleted file is forgotten without members that may not see its mark, and not without others")
    func forgetting() throws {
        let (own, ben, dee) = (DeviceID(9), DeviceID(1), DeviceID(2))
        var index = index()
        var marked = file(1, try team(acme))
        var plain = file(2, .everyone, content: 2, named: SyncName("b"))
        marked.delete(Dot(replica(1), 2), seen: [Dot(replica(1), 1)])
        plain.delete(Dot(replica(2), 2), seen: [Dot(replica(2), 1)])
        // Deletions of unknown nodes have no sequence of their own.
        #expect(index.receive([file(1, try team(acme)), file(2, .everyone, content: 2, named: SyncName("b"))]).isEmpty)
        #expect(index.receive([marked, plain]).isEmpty)
        #expect(Set(index.tombstones) == [marked.id, plain.id])
        let hidden = [dee: Set([try team(acme)])]
        var positions = MemberPositions()
        index.forgetDeletions(positions, members: [own, ben, dee], hidden: hidden)
        #expect(index.tombstones.count == 2)
        positions.acknowledged[ben] = ChangeCursor(index.replica, index.sequence)
        index.forgetDeletions(positions, members: [own, ben, dee])
        #expect(index.tombstones.count == 2)
        index.forgetDeletions(positions, members: [own, ben, dee], hidden: [dee: [.nobody]])
        #expect(index.tombstones.count == 2)
        index.forgetDeletions(positions, members: [own, ben, dee], hidden: hidden)
        #expect(index.tombstones == [plain.id])
        positions.acknowledged[dee] = ChangeCursor(index.replica, index.sequence)
        index.forgetDeletions(positions, members: [own, ben, dee], hidden: hidden)
        #expect(index.tombstones.isEmpty)
    }
}
