import Foundation
import HostilePeers
import PortolanProtocol
import PortolanValues
import Testing

/// Attacks of a sender on its lanes once an item of its offer was taken.
@Suite(.serialized) struct LaneAttackTests {
    @Test(
        "a message that breaks the rules of a transfer ends the session with one sentence, and nothing of the item is visible"
    )
    func ruleBreakingRecordsEndTheSession() async throws {
        for attack in LaneAttack.all { try await check(attack) }
    }

    private func check(_ attack: LaneAttack) async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(attack.form)
            try peer.begin(attack.form, name: Array("lie".utf8))
            try attack.run(peer)
            #expect(try peer.closeReason() == attack.code, "\(attack.name)")
            #expect(try await victim.hasEndedASession(), "\(attack.name)")
            #expect(attack.sentences.contains { [$0] == victim.complaints }, "\(attack.name): \(victim.complaints)")
            #expect(try victim.contents() == [], "\(attack.name)")
            try await victim.stillServes()
        }
    }

    // MARK: Items

    private static let doubles: [[HostileElement]] = [
        [.whole(1, name: "a", [1]), .whole(2, name: "a", [2])],
        [.folder(1, name: "a"), .whole(2, name: "a", [2])],
        [.whole(1, name: "a", [1]), .folder(2, name: "a"), .whole(3, in: 2, name: "b", [1])],
        [.folder(1, name: "a"), .whole(2, in: 1, name: "b", [1]), .folder(3, name: "a")],
        [.link(1, name: "a", to: "b"), .whole(2, name: "a", [2])],
        [.folder(1, name: "a"), .link(2, name: "a", to: "b")],
        [.link(1, name: "a", to: "b"), .folder(2, name: "a"), .whole(3, in: 2, name: "b", [1])],
    ]

    @Test("two entries with the same name fail the item and nothing else", arguments: doubles.indices)
    func refusesTwoEntriesOfOneName(number: Int) async throws {
        let entries = Self.doubles[number]
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.folder)
            try peer.begin(.folder, name: Array("double".utf8))
            let lane = try peer.openLane()
            try lane.sendTree([.folder(0)] + entries)
            guard case .failed? = try peer.nextReceipt() else {
                Issue.record("it was not refused")
                return
            }
            #expect(try victim.contents() == [])
            // The rest is counted and dropped, and the session continues.
            try lane.send(.mark)
            try lane.sendEnd()
            let files = entries.count(where: \.isFile)
            try peer.end(entries: UInt32(entries.count + 1), bytes: UInt64(files))
            try peer.sendRecord(type: RecordType.end.rawValue, [])
            #expect(try await victim.hasFinishedASession())
            #expect(victim.complaints.count == 1)
            try await victim.stillServes()
        }
    }

    @Test("parts of a file may arrive in any order and on any lane")
    func takesAnyOrder() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.file)
            try peer.begin(.file, name: Array("puzzle".utf8))
            let lanes = [try peer.openLane(), try peer.openLane(1)]
            // Sent before the file is announced.
            try lanes[1].sendPayload(Array("56".utf8), at: 5)
            try lanes[0].send(.file(0, size: 10))
            try lanes[0].send(.hole(0, 7..<9))
            try lanes[0].sendPayload(Array("34".utf8), at: 3)
            try lanes[1].sendPayload(Array("012".utf8))
            try lanes[0].send(.end(0, size: 10), .mark)
            try lanes[1].sendPayload(Array("9".utf8), at: 9)
            try lanes[1].send(.mark)
            try peer.end(entries: 1, bytes: 8, lanes: 2)
            guard case .stored? = try peer.nextReceipt() else {
                Issue.record("it was not stored")
                return
            }
            let stored = try Data(contentsOf: victim.inbox.appending(path: "puzzle"))
            #expect(stored == Data("0123456\0\u{0}9".utf8))
            for lane in lanes { try lane.sendEnd() }
            try peer.sendRecord(type: RecordType.end.rawValue, [])
        }
    }

    @Test("records for a transfer that never begins wait, and are dropped with the session")
    func dropsTransfersThatNeverBegin() async throws {
        try await Victim.with { victim in
            do {
                let peer = try HostilePeer(port: victim.port)
                try peer.shakeHands()
                try peer.offer(.folder)
                try peer.begin(.folder, name: Array("first".utf8))
                try peer.openLane().send(.folder(0), .whole(1, name: "a", [1]), transfer: 2)
                try await victim.stillServes()
                #expect(try victim.contents().filter { !$0.hasPrefix(".") } == ["honest.txt"])
            }
            #expect(try await victim.hasEndedASession())
            #expect(victim.complaints.count == 1)
            #expect(try victim.contents() == ["honest.txt"])
        }
    }

    @Test("a hundred thousand entries of a sender that disconnects leave nothing")
    func forgetsManyEntries() async throws {
        try await Victim.with { victim in
            do {
                let peer = try HostilePeer(port: victim.port)
                try peer.shakeHands()
                try peer.offer(.folder)
                try peer.begin(.folder, name: Array("flood".utf8))
                let lane = try peer.openLane()
                try lane.send(.folder(0))
                for start in stride(from: UInt32(1), through: 100_000, by: 10_000) {
                    try lane.sendTree((start..<start + 10_000).map { .whole($0, name: "f\($0)", []) })
                }
            }
            #expect(try await victim.hasEndedASession())
            #expect(victim.complaints.count == 1)
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("a million entries of an abandoned item are counted and dropped")
    func dropsAMillionEntries() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.folder)
            try peer.begin(.folder, name: Array("flood".utf8))
            let lane = try peer.openLane()
            try lane.send(.folder(0), .folder(1, name: "twice"), .folder(2, name: "twice"))
            for start in stride(from: UInt32(3), to: 1_000_003, by: 20_000) {
                try lane.sendTree((start..<start + 20_000).map { .folder($0, name: "f") })
            }
            try lane.send(.mark)
            try lane.sendEnd()
            try peer.end(entries: 1_000_003, bytes: 0)
            try peer.sendRecord(type: RecordType.end.rawValue, [])
            #expect(try peer.nextReceipt() == .failed(StoringFailure(.name)))
            #expect(try await victim.hasFinishedASession())
            #expect(victim.complaints.count == 1)
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    // MARK: Connections

    @Test("a lane without permission is closed, and the transfer beside it continues")
    func hangsUpOnStrangers() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            func isHungUpOn(_ preface: [UInt8]) throws -> Bool {
                let stranger = try HostileSocket(port: victim.port)
                try stranger.send(preface)
                return stranger.isHungUpOn(within: 300)
            }
            let preface = peer.lanePreface()
            #expect(try isHungUpOn(preface), "before anything was taken")
            try peer.offer(.file)
            try peer.begin(.file, name: Array("mine".utf8))
            for changed in [8, 12, 16, 63] {
                var wrong = preface
                wrong[changed] ^= 1
                #expect(try isHungUpOn(wrong), "byte \(changed)")
            }
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 2))
            #expect(try isHungUpOn(preface), "twice")
            try lane.sendPayload([1, 2])
            try lane.send(.end(0, size: 2), .mark)
            try lane.sendEnd()
            #expect(try isHungUpOn(preface), "again")
            try peer.end(entries: 1, bytes: 2)
            guard case .stored? = try peer.nextReceipt() else {
                Issue.record("it was not stored")
                return
            }
            try peer.sendRecord(type: RecordType.end.rawValue, [])
            #expect(try await victim.hasFinishedASession())
            #expect(peer.isHungUpOn(within: 300))
            #expect(try isHungUpOn(peer.lanePreface(1)), "when all is over")
            // The version of byte 8.
            #expect(victim.complaints.count == 1 && victim.complaints.allSatisfy { $0.contains("version 3") })
            try await victim.stillServes()
        }
    }

    @Test("a lane that is cut, or whose records are forged, ends the session, and nothing of the item is visible")
    func endsWithItsLanes() async throws {
        for isForged in [false, true] {
            try await Victim.with { victim in
                let (peer, lane) = try victim.beginFile(named: "half", size: 8)
                try lane.sendPayload([1, 2, 3, 4])
                if isForged {
                    try lane.send([2, 0, 0, 40] + [UInt8](repeating: 7, count: 40))
                } else {
                    lane.cut()
                }
                #expect(peer.isHungUpOn(within: 300))
                #expect(try await victim.hasEndedASession())
                #expect(victim.complaints.count == 1)
                #expect(try victim.contents() == [])
                try await victim.stillServes()
            }
        }
    }

    // MARK: Numbers

    @Test("files that are together larger than any file can be end the session")
    func refusesSizesWithoutBounds() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.folder)
            // A transfer that requires holes is not held to the free space.
            try peer.send(
                .begin(
                    Message.Begin(
                        transfer: 1, offer: 1, item: 0, representation: 0, channel: .file, name: Array("large".utf8),
                        size: nil, requirements: [.sparse])))
            let files = (1...3).map { HostileElement.file($0, name: "\($0)", size: UInt64(Int64.max) / 2) }
            try peer.openLane().sendTree([.folder(0)] + files)
            #expect(try peer.closeReason() == .limit)
            #expect(
                try await victim.hasComplained(
                    "The files of a transfer are together larger than any file can be."))
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("sizes, holes and times at the ends of their ranges, in many versions of one source, do no harm")
    func survivesExtremeNumbers() async throws {
        let numbers: [UInt64] = [1, 1 << 31, 1 << 32, 1 << 62, (1 << 63) - 1]
        try await Victim.with { victim in
            let identity = try HostilePeer(port: victim.port).identity
            for (round, number) in (numbers + numbers).enumerated() {
                let peer = try HostilePeer(port: victim.port, identity: identity)
                try peer.shakeHands()
                let source = [UInt8](repeating: 7, count: 16)
                let asks = try peer.offer(.folder, source: source)?.asks ?? false
                try peer.begin(.folder, name: Array("large".utf8), asks: asks)
                let lane = try peer.openLane()
                let size = round < numbers.count ? number : (1 << 63) - 2
                try lane.sendTree([
                    .folder(0), .file(1, name: "known", size: size), .file(2, name: "stream", size: nil),
                ])
                try? lane.send(.hole(1, 0..<min(number, size)))
                try? lane.sendPayload([1], of: 2)
                try? lane.send(.end(1, size: size, sent: min(number, size)))
                lane.cut()
                peer.cut()
                // The partial is then suspended, for the next transfer to resume.
                #expect(try await victim.hasEndedASession(count: round + 1), "\(number)")
            }
            try await victim.stillServes()
            for name in try victim.contents() where name.hasPrefix(".") {
                try FileManager.default.removeItem(at: victim.inbox.appending(path: name))
            }
        }
    }

    // MARK: Going on

    @Test(
        "a sender that resumes a transfer cannot make the receiver believe that it holds content that it does not hold")
    func comparesHeldContentByDigest() async throws {
        let source = [UInt8](repeating: 5, count: 16)
        let half = [UInt8](repeating: 9, count: 256 << 10)
        try await Victim.with { victim in
            let first = try HostilePeer(port: victim.port)
            try first.shakeHands()
            #expect(try first.offer(.file, source: source)?.asks == false)
            try first.begin(.file, name: Array("rest".utf8))
            let before = try first.openLane()
            try before.send(.file(0, size: 2 * UInt64(half.count)))
            try before.sendPayload(half)
            before.cut()
            #expect(try await victim.hasEndedASession())
            #expect(try victim.contents().allSatisfy { $0.hasPrefix(".portolan-partial-") })

            let second = try HostilePeer(port: victim.port, identity: first.identity)
            try second.shakeHands()
            #expect(try second.offer(.file, source: source)?.asks == true)
            try second.begin(.file, name: Array("rest".utf8), asks: true)
            let lane = try second.openLane()
            try lane.send(.file(0, size: 2 * UInt64(half.count)))
            guard case .wanted(let wanted)? = try second.nextMessage(), wanted.decisions == [.compare] else {
                Issue.record("it was not compared")
                return
            }
            // Claims that all content is correct, and sends none.
            try lane.send(.end(0, size: 2 * UInt64(half.count), sent: 0), .mark)
            #expect(try second.closeReason() == .protocolViolation)
            let sentence = "A file ended without content that the receiver lacks."
            #expect(try await victim.hasComplained(sentence))
            #expect(try victim.contents().allSatisfy { $0.hasPrefix(".portolan-partial-") })
            try await victim.stillServes()
            for name in try victim.contents() where name.hasPrefix(".") {
                try FileManager.default.removeItem(at: victim.inbox.appending(path: name))
            }
        }
    }
}
