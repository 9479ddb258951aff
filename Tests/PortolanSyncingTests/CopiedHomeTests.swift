import Foundation
import PortolanProtocol
import PortolanSyncModel
import Testing

@testable import PortolanSyncing

/// Names of two machines with one key, and decisions about keys.
@Suite(.serialized) struct CopiedHomeTests {
    /// Looks at a folder until its state is as wanted.
    private func look(_ device: SyncDevice, until isTrue: (SyncOverview) -> Bool) async throws -> SyncOverview {
        while true {
            await device.service.refresh()
            let one = try #require(try await device.service.overview().first)
            if isTrue(one) { return one }
            try await Task.sleep(for: .milliseconds(20))
        }
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

    @Test("of the machines with one key two are named, told apart by what they told, their names and addresses")
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
