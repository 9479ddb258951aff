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

    @Test("of the machines with one key the two are named that differ by address, else by what they told")
    func machines() {
        let sessions = (0..<3).map { _ in NSObject() }
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
        // A machine that changes its address in another session of the same name is still one of two.
        for number in 10..<40 as Range<UInt64> { met.note(machine("a"), epoch: number, in: session[0]) }
        #expect(met.pair.count == 1)

        var same = MetMachines()
        same.note(machine("c"), epoch: 1, in: session[0])
        same.note(machine("c"), epoch: 2, in: session[1])
        #expect(same.pair.count == 2)
        #expect(MetMachines(same.pair).pair.count == 1)
        let hostile = machine("\u{1B}[2J", String(repeating: "x", count: 255))
        #expect(!hostile.text.contains("\u{1B}") && hostile.text.count < 250)
    }
}
