import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Requests to stop an item while it is received: nothing of it is kept, at whatever moment they arrive.
@Suite(.aside) struct StoppingTests {
    private let temporary = TemporaryFolder.inMemory()

    private func begin(in inbox: Inbox) throws -> (partial: PartialItem, id: String) {
        var shipment = Shipment.tree()
        shipment.patience = 5
        let partial = try inbox.receive(shipment.about(), called: name("tree"), asking: true)
        #expect(throws: Shipment.Interrupted.self) { try shipment.send(to: partial) }
        return (partial, try #require(try inbox.partials().first).id)
    }

    /// The state after the sender has disconnected, when requests are not polled any more.
    @Test func stopRequestBeforeSuspensionIsHonoured() throws {
        let inbox = try temporary.inbox()
        let (partial, id) = try begin(in: inbox)
        #expect(try inbox.stopPartial(id))
        partial.suspend()
        #expect(names(in: inbox.path).isEmpty)
    }

    @Test func suspendedPartialCannotBeStopped() throws {
        let inbox = try temporary.inbox()
        let (partial, id) = try begin(in: inbox)
        partial.suspend()
        #expect(try !inbox.stopPartial(id))
        #expect(try inbox.partials().map(\.id) == [id])
        #expect(try inbox.forgetPartial(id))
        #expect(names(in: inbox.path).isEmpty)
    }

    /// The request and the suspension happen at the same time, in either order: the partial is removed in both.
    @Test func stopRequestDuringSuspensionIsHonoured() async throws {
        for _ in 0..<200 {
            let inbox = try temporary.inbox()
            let (partial, id) = try begin(in: inbox)
            async let suspended: Void = { partial.suspend() }()
            let isStopped = try inbox.stopPartial(id)
            await suspended
            if !isStopped { #expect(try inbox.forgetPartial(id)) }
            #expect(names(in: inbox.path).isEmpty)
        }
    }
}
