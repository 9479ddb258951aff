import Portolan
import PortolanValues
import Testing

@testable import PortolanCommand
@testable import PortolanOutbox

@Suite struct TransferLineTests {
    @Test func hostileTextIsShownSafely() {
        let hostile = "a\u{1B}[2J\u{202E}\n"
        var record = TransferRecord(
            id: .random(), created: .now, target: "b", titles: [hostile], parcel: nil, folder: "/tmp", changed: .now,
            total: 100)
        record.name = hostile
        let view = TransferState(record)
        #expect(DisplayText.isHarmless(view.line))
        #expect(NodeEvent(\.transfer, view).line.unicodeScalars.allSatisfy { !DisplayText.isHarmful($0) })
    }

    @Test("the figure of a sender counts bytes sent, and that of a receiver bytes kept: the two may differ")
    func figuresSayWhatTheyAre() {
        func line(_ direction: NodeEvent.TransferState.Direction) -> String {
            TransferState(
                id: "k3xq7m2a", direction: direction, status: .resumable, target: nil, name: "b", fingerprint: nil,
                titles: ["a"], bytes: 3 << 20, total: 32 << 20, created: .now, folder: "/tmp"
            ).line
        }
        #expect(line(.send).contains("\(Human.size(3 << 20)) sent of \(Human.size(32 << 20))"))
        #expect(line(.receive).contains("\(Human.size(3 << 20)) here of \(Human.size(32 << 20))"))
    }

    @Test func registerErrorNamesTheHelpfulCommand() throws {
        let id = RecordID.random()
        let failures = [RegisterError.unknown(id), .idle(id), .running(id), .stopped, .queued(id)].map(
            CommandFailure.init)
        #expect(failures.map(\.status) == [.unreachable, .unreachable, .inputOutput, .interrupted, .inputOutput])
        let commands = [
            "transfers", "transfers forget \(id)", "transfers cancel \(id)", "transfers cancel", "outbox show",
        ]
        for (failure, command) in zip(failures, commands) {
            #expect(failure.description.contains("portolan \(command)"))
        }
    }
}
