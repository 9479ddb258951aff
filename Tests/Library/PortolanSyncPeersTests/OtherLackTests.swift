import Foundation
import PortolanFiles
import PortolanProtocol
import PortolanSyncPlan
import PortolanValues
import Synchronization
import Testing

@testable import PortolanSyncPeers

/// Members that do not have alike what another one made.
@Suite(.serialized) struct OtherLackTests {
    private func pair(_ meddling: MeddlingHost.Meddling? = nil) throws -> (ada: SyncDevice, ben: SyncDevice) {
        let (ada, ben) = (try SyncDevice("ada"), try SyncDevice("ben", meddling: meddling))
        let id = SyncFolderID()
        try ada.share(id, with: [ben])
        try ben.share(id, with: [ada])
        return (ada, ben)
    }

    /// Looks at a folder until its state is as wanted.
    private func look(_ device: SyncDevice, until isTrue: (SyncOverview) -> Bool) async throws -> SyncOverview {
        while true {
            await device.service.refresh()
            let one = try #require(try await device.service.overview().first)
            if isTrue(one) { return one }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func confirm(_ mark: String, on device: SyncDevice) throws {
        try device.service.list.change { entries in
            entries[0].decisions.append(.init(deletion: mark, isConfirmed: true))
        }
    }

    @Test("a held deletion is shown on the other devices, and its maker is not called alike before they have agreed")
    func held() async throws {
        let (ada, ben) = try pair()
        for number in 0..<12 { try ada.write("\(number)", [UInt8(number)]) }
        try await SyncDevice.running([ada, ben]) {
            try await ben.changed { try ben.count() == 12 }
            for number in 0..<12 { try FileManager.default.removeItem(at: ada.folder.appending(path: "\(number)")) }
            let made = try await look(ada) { $0.status.deletions?.isEmpty == false }
            let mark = try #require(made.status.deletions?.first?.mark)
            let there = try await look(ben) { $0.status.others?.isEmpty == false }
            let other = try #require(there.status.others?.first)
            #expect(other.by == "ada" && other.kind == "ownDeletion" && other.mark == mark && other.count == 12)
            #expect(other.needsPerson && Set(other.paths).isSubset(of: (0..<12).map { "\($0)" }))
            #expect(other.paths.count == 8 && !there.status.isAlike)

            try confirm(mark, on: ada)
            let held = try await look(ben) { $0.status.deletions?.isEmpty == false }
            let lacking = try await look(ada) { one in
                one.status.others?.first?.kind == "deletion" && one.isIdle && one.status.lacks == []
            }
            let lack = try #require(lacking.status.others?.first)
            #expect(lack.by == "ben" && lack.mark == held.status.deletions?.first?.mark && lack.count == 12)
            #expect(lack.paths.count == 8 && lack.reason.contains("holds a deletion of 12 files"), "\(lack)")
            #expect(lacking.status.deletions == [] && !lacking.status.isAlike)

            try confirm(try #require(lack.mark), on: ben)
            _ = try await look(ben) { $0.status.deletions == [] }
            #expect(try ben.count() == 0)
            #expect(try await look(ada) { $0.status.isAlike }.status.others == [])
        }
    }

    @Test("a lack that a member told stays when it is away if it needs a person, also after a restart; others go")
    func away() async throws {
        let (ada, ben) = try pair()
        func lack(of device: DeviceID, needsPerson: Bool) -> SyncOtherLack {
            SyncOtherLack(
                by: "ben", device: Hexadecimal.text(device.bytes), kind: "deletion", mark: "01020304", count: 9,
                paths: ["a"], reason: "It is held.", needsPerson: needsPerson)
        }
        let own = ben.service.own
        let stays = lack(of: own, needsPerson: true)
        let entry = try #require(try ada.service.list.all().first)
        var status = SyncFolderList.Status()
        status.others = [stays, lack(of: own, needsPerson: false), lack(of: DeviceID(7), needsPerson: true)]
        try ada.service.list.set(status, of: entry)
        try await SyncDevice.running([ada]) {
            let seen = try await look(ada) { _ in true }
            #expect(seen.status.others == [stays] && !seen.status.isAlike)
            #expect(try ada.service.list.status(of: entry)?.others == [stays])
        }
    }

    @Test("the owner of a link that leads out is told that others do not take it, once by an event")
    func link() async throws {
        let (ada, ben) = try pair()
        #expect(symlink("/etc", ada.folder.appending(path: "out").path) == 0)
        try await SyncDevice.running([ada, ben]) {
            let event = try #require(await ada.lacking())
            #expect(event.by == "ben" && event.path == "out" && event.reason.contains("leads out"))
            let seen = try await look(ada) { $0.status.others?.isEmpty == false && $0.isIdle }
            #expect(seen.status.others?.map(\.paths) == [["out"]] && !seen.status.isAlike)
            #expect(seen.status.others?.map(\.kind) == ["link"] && seen.status.skipped == [])
            try FileManager.default.removeItem(at: ada.folder.appending(path: "out"))
            #expect(try await look(ada) { $0.status.isAlike && $0.isIdle }.status.others == [])
        }
    }

    @Test("contents that go to another device are shown with their progress, and not for ever")
    func going() async throws {
        let size = 300_000
        // The content goes when somebody has seen that it will.
        let isSeen = DispatchSemaphore(value: 0)
        let (ada, ben) = try pair(
            .changes { content in
                isSeen.wait()
                isSeen.signal()
                return content
            })
        try ben.write("large", ChangedFileTests.bytes(size))
        try await SyncDevice.running([ada, ben]) {
            let shown = try await look(ben) { $0.status.going != nil }.status.going?.first
            isSeen.signal()
            #expect(shown?.to == "ada" && shown?.files == 1 && shown?.doneFiles == 0 && shown?.bytes == UInt64(size))
            #expect((0..<UInt64(size)).contains(shown?.doneBytes ?? .max), "\(String(describing: shown))")
            try await ada.changed { ada.bytes("large")?.count == size }
            _ = try await look(ben) { $0.status.going == nil }
        }
    }

    @Test("contents that go are counted with those that went before, until nothing goes for a while")
    func counted() {
        let (going, id) = (GoingContents(), SyncFolderID())
        #expect(going.progress(of: id) == nil)
        #expect(going.add(2, 7, of: id) && !going.add(1, 3, of: id))
        #expect(going.progress(of: id) == GoingProgress(files: 3, bytes: 10, doneFiles: 3, doneBytes: 10))
        let contents = [4, 6].map { SourceContent(name: .sanitised(fromLocal: [97]), size: $0) { nil } }
        going.begin(contents, of: id)
        going.note(5, of: id)
        #expect(going.progress(of: id) == GoingProgress(files: 5, bytes: 20, doneFiles: 3, doneBytes: 15))
        going.settle(id)
        #expect(going.progress(of: id) == GoingProgress(files: 5, bytes: 20, doneFiles: 5, doneBytes: 20))
        going.end(id)
        #expect(going.progress(of: id) == nil)
    }
}
