import Foundation
import PortolanProtocol
import PortolanSyncPlan
import Testing

@testable import PortolanSyncPeers

/// Two machines with one key and a member that meets both, their names, and decisions about keys.
@Suite(.serialized) struct CopiedHomeTests {
    /// Looks at a folder until its state is as wanted.
    private func look(
        _ device: SyncDevice, until isTrue: (SyncOverview) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SyncOverview {
        var last: SyncOverview?
        for _ in 0..<3000 {
            await device.service.refresh()
            let one = try #require(try await device.service.overview().first)
            if isTrue(one) { return one }
            last = one
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("It does not come to that: \(last.debugDescription)", sourceLocation: sourceLocation)
        throw CancellationError()
    }

    private func isCopied(_ one: SyncOverview) -> Bool { one.status.isCopied ?? false }

    private func standsStill(_ one: SyncOverview) -> Bool { isCopied(one) && !one.isKept }

    private func saysTwo(_ one: SyncOverview) -> Bool {
        one.status.lacks?.contains { $0.reason.contains("“ada” is two machines with one key: ") && $0.needsPerson }
            ?? false
    }

    @Test("both machines stand still, the member names them, and one goes on when a person lets it keep the key")
    func copied() async throws {
        let (first, member) = (try SyncDevice("ada"), try SyncDevice("ben"))
        let id = SyncFolderID()
        try first.share(id, with: [member])
        try member.share(id, with: [first])
        try first.write("first", [1])
        try await SyncDevice.running([member, first]) { try await member.changed { member.bytes("first") == [1] } }
        let ben = try await SyncDevice(copyOf: member)
        let (ada, copy) = (try await SyncDevice(copyOf: first), try await SyncDevice(copyOf: first))
        try await SyncDevice.running([ben, ada, copy]) {
            try ada.write("of ada", [2])
            try copy.write("of copy", [3])
            let stopped = try await look(ada, until: standsStill)
            #expect(!stopped.isIdle)
            #expect(stopped.status.problem?.contains("“portolan id --keep-key”") == true)
            _ = try await look(copy, until: isCopied)
            let seen = try await look(ben, until: saysTwo)
            #expect(!seen.status.isAlike && seen.isKept)
            #expect(seen.status.machines?.count == 2 && seen.status.machines?.first?.address == "127.0.0.1")
            #expect(ada.bytes("of ada") == [2] && copy.bytes("of copy") == [3])

            #expect(try ada.service.list.keepKey() == ["notes"])
            let kept = try await look(ada) { !isCopied($0) && $0.isKept && $0.entry.decisions.isEmpty }
            #expect(kept.status.problem == nil)
            try ada.write("later", [4])
            try await ben.changed { ben.bytes("later") == [4] }
            _ = try await look(ben) { !saysTwo($0) }
            #expect(ben.bytes("first") == [1] && ben.bytes("of ada") == [2])
            #expect(isCopied(try await look(copy) { _ in true }))
            #expect(copy.bytes("later") == nil && copy.bytes("of copy") == [3])
        }
        // The copy stands still after its restart, too, before it has met anybody.
        let again = try await SyncDevice(copyOf: copy, agrees: false)
        try await SyncDevice.running([again]) { _ = try await look(again, until: isCopied) }
    }

    @Test("a device that stands still for no key decides nothing, and a decision without a reason is forgotten")
    func nothingToDecide() async throws {
        let device = try SyncDevice("ada")
        try device.share(SyncFolderID(), with: [])
        try await SyncDevice.running([device]) {
            _ = try await look(device) { $0.isKept && $0.isIdle }
            #expect(try device.service.list.keepKey() == [])
            try device.service.list.change { entries in
                entries[0].decisions = [.init(deletion: SyncFolderEntry.keyDecision, isConfirmed: true)]
            }
            _ = try await look(device) { $0.entry.decisions.isEmpty && $0.isKept }
        }
    }

    @Test("two of the machines with one key are named, told apart by their positions, names and addresses")
    func machines() {
        let sessions = (0..<4).map { _ in NSObject() }
        func machine(_ address: String, _ host: String = "", _ seen: UInt64 = 1) -> KeyMachine {
            KeyMachine(device: "00", by: "ada", host: host, address: address, seen: seen)
        }
        var met = MetMachines()
        #expect(met.pair.isEmpty)
        let session = sessions.map { ObjectIdentifier($0) }
        met.note(machine("a"), epoch: 1, in: session[0])
        met.note(machine("a"), epoch: 1, in: session[0])
        #expect(met.pair == [machine("a")])
        met.note(machine("b"), epoch: 2, in: session[1])
        met.note(machine("a", "", 2), epoch: 3, in: session[0])
        #expect(met.pair.map(\.address) == ["a", "b"])
        met.note(machine("b", "laptop"), epoch: 0, in: session[1])
        #expect(met.pair.map(\.text) == ["a", "laptop (b)"])
        // A machine that begins epochs in one session, or anew with another address, is still one of two.
        for number in 10..<40 as Range<UInt64> { met.note(machine("a"), epoch: number, in: session[0]) }
        #expect(met.pair.map(\.text) == ["a", "laptop (b)"])
        met.note(machine("c"), epoch: 2, in: session[2])
        met.note(machine("c", "laptop"), epoch: 0, in: session[2])
        met.note(machine("d", "laptop"), epoch: 0, in: session[3])
        #expect(met.pair.map(\.text) == ["a", "laptop (c)"])

        // Both go on in the epoch in which the one was copied, until one of them begins another.
        var forked = MetMachines()
        forked.note(machine("a"), epoch: 1, in: session[0])
        forked.note(machine("b"), epoch: 1, in: session[1])
        forked.note(machine("b"), epoch: 2, in: session[1])
        #expect(forked.pair.map(\.address) == ["a", "b"])

        // Copies have one name.
        let (one, other) = (machine("a", "laptop"), machine("b", "laptop"))
        var copies = MetMachines([one, other])
        copies.note(machine("a", "laptop"), epoch: 0, in: session[0])
        copies.note(machine("b", "laptop"), epoch: 0, in: session[1])
        copies.note(machine("c", "laptop"), epoch: 0, in: session[2])
        #expect(copies.pair == [one, other])

        // The name comes with the stop, in a session of its own before those that were open.
        var late = MetMachines()
        late.note(machine("a"), epoch: 1, in: session[0])
        late.note(machine("b"), epoch: 2, in: session[1])
        late.note(machine("c", "laptop"), epoch: 0, in: session[2])
        late.note(machine("b", "laptop"), epoch: 0, in: session[1])
        #expect(late.pair.map(\.address) == ["a", "c"])

        var same = MetMachines()
        same.note(machine("c"), epoch: 1, in: session[0])
        same.note(machine("c"), epoch: 2, in: session[1])
        #expect(same.pair.count == 2)
        #expect(MetMachines(same.pair).pair.count == 1)
        let hostile = machine("\u{1B}[2J", String(repeating: "x", count: 255))
        #expect(!hostile.text.contains("\u{1B}") && hostile.text.count < 250)
    }
}
