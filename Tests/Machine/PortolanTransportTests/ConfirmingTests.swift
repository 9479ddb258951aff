import Foundation
import PortolanProtocol
import Testing

@testable import PortolanTransport

/// Items that are confirmed before their receipt, or not.
@Suite(.timeLimit(.minutes(20))) struct ConfirmingTests {
    private struct NoRecord: Error {}

    @Test("an item that is not confirmed is taken back and fails, and the others are stored", arguments: [false, true])
    func takesBack(isAtHand: Bool) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data("some text".utf8).write(to: file)
            let sinks = [Counting(), Counting(), Counting()]
            try await SessionPair.with { pair in
                var receiver = Taking(sinks: sinks)
                receiver.onConfirm = { if $0 != 1 { throw NoRecord() } }
                async let received: Void = pair.receive(with: receiver)
                let outcomes = try await pair.send(
                    [.bytes(Data("hello".utf8)), .bytes(Data("again".utf8)), .file(path: file.path)],
                    isAtHand: isAtHand)
                try await received
                for item in [0, 2] {
                    guard case .failed(let failure, after: nil) = outcomes[item] else {
                        Issue.record("\(outcomes[item])")
                        continue
                    }
                    #expect(failure.cause == .cannotWrite && !failure.detail.isEmpty)
                    #expect(!failure.detail.contains("NoRecord"), "The sender learns nothing of this machine")
                }
                guard case .stored = outcomes[1] else {
                    Issue.record("\(outcomes[1])")
                    return
                }
            }
            #expect(sinks.map(\.isWithdrawn) == [true, false, true])
        }
    }
}
