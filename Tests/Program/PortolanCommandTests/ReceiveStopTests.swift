import Foundation
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanCommand

/// State of a stopped `receive` about the offer that it waited for. The events are made up, so that the stop comes
/// between the receipt and the end of the session.
@Suite struct ReceiveStopTests {
    private let tool: Tool
    private let reporter: ReceiveReporter
    private let peer = RemotePeer(
        name: "ada", fingerprint: Fingerprint(ofKeyBytes: [1]), address: "192.0.2.7:1", isKnown: false,
        standing: .anyone)
    private let batch = RandomID.random()

    init() async throws {
        tool = try Tool()
        let home = try HomeDirectory(override: tool.path("home"), environment: [:])
        reporter = ReceiveReporter(
            Console(format: .human, isQuiet: true), node: try await Node(Node.Configuration(home: home)),
            inbox: "/inbox")
    }

    private func transfer(_ item: Int) -> IncomingTransfer {
        IncomingTransfer(id: TransferID(batch: batch, item: item), peer: peer, title: "x")
    }

    private func offer(items count: Int) {
        let items = (0..<count).map { number in
            IncomingOffer.Item(
                transfer: transfer(number).id, title: "x", contentType: "public.data", typeDescription: nil,
                suggestedName: nil, representation: 0, representationCount: 1, size: 1, apparentSize: 1, mostBytes: 1,
                isFolder: false, restriction: .everyone, preview: nil, forms: [])
        }
        reporter.report(.offered(IncomingOffer(peer: peer, items: items, notImportable: [])))
    }

    private func start(_ item: Int) { reporter.report(.started(transfer(item), bytes: 1)) }

    private func store(_ item: Int) throws {
        let taken = try OfferedRepresentation(
            type: OfferedType(identifier: "public.data"), restriction: .everyone, channel: .file)
        let stored = try StoredItem(bytes: 1, entries: 1)
        reporter.report(.stored(ReceivedItem(stored, taken, by: transfer(item), name: "x", path: "/inbox/x")))
    }

    @Test("a stop after the last item was stored interrupts nothing")
    func afterTheLastItem() throws {
        offer(items: 2)
        for item in 0..<2 {
            start(item)
            try store(item)
        }
        reporter.stop()
        #expect(reporter.wasComplete && !reporter.brokeSomethingOff)
    }

    @Test("a stop after the end of the session interrupts nothing")
    func afterTheSession() throws {
        offer(items: 1)
        start(0)
        try store(0)
        reporter.report(.finished(peer))
        reporter.stop()
        #expect(reporter.wasComplete && !reporter.brokeSomethingOff)
    }

    @Test("a stop before anything was stored interrupts the wait")
    func beforeAnything() {
        offer(items: 1)
        reporter.stop()
        #expect(!reporter.wasComplete && !reporter.brokeSomethingOff)
    }

    @Test("a stop while an item arrives breaks it off, also if it is stored after all")
    func whileAnItemArrives() throws {
        offer(items: 1)
        start(0)
        reporter.stop()
        try store(0)
        #expect(!reporter.wasComplete && reporter.brokeSomethingOff)
    }

    @Test("a stop between two items of an offer interrupts the wait for the second")
    func betweenTwoItems() throws {
        offer(items: 2)
        start(0)
        try store(0)
        reporter.stop()
        #expect(!reporter.wasComplete && !reporter.brokeSomethingOff)
    }

    @Test("a stop before the session of a resumed item ends interrupts the wait: more may follow")
    func afterAResumedItem() throws {
        start(0)
        try store(0)
        reporter.stop()
        #expect(!reporter.wasComplete && !reporter.brokeSomethingOff)
    }
}
