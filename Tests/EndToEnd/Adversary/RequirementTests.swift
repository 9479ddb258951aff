import Foundation
import Glibc
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanControls
import PortolanProtocol
import PortolanValues
import Testing

/// Senders with requirements, and receivers that store no files: outputs and programs.
@Suite(.serialized) struct RequirementTests {
    private struct Folder: Transferable {
        static var transferRepresentation: some TransferRepresentation {
            FileRepresentation(importedContentType: .folder) { _ in Folder() }
        }
    }

    enum Program: CaseIterable {
        case values, drops
    }

    private static func home() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "portolan-requirement-\(UUID().uuidString)")
    }

    /// Runs `body` while a program receives folders.
    private func whileReceiving(_ program: Program, _ body: @Sendable (UInt16) throws -> Void) async throws {
        let home = Self.home()
        defer { try? FileManager.default.removeItem(at: home) }
        let node = try Node(blocking: .onLoopback("victim", home: home))
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let report: @Sendable (ReceiveEvent) -> Void = { if case .listening(let port, _, _) = $0 { feed.yield(port) } }
        let receiving = Task {
            switch program {
            case .values: for try await _ in node.receive(Folder.self, events: report) {}
            case .drops: try await node.dropDestination(for: Folder.self, action: { _, _ in true }, events: report)
            }
        }
        defer { receiving.cancel() }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw Victim.NeverListened() }
        try await withHostileThread { try body(port) }
    }

    /// Makes a session in which a folder or file was accepted and begins.
    private func begin(
        _ form: HostilePeer.Form, at port: UInt16, requiring requirements: Fidelity
    ) throws -> HostilePeer {
        let peer = try HostilePeer(port: port)
        try peer.shakeHands()
        try peer.offer(form)
        try peer.begin(form, name: Array("item".utf8), requirements: requirements)
        return peer
    }

    @Test("an importer does not get an item that would lose a required property", arguments: Program.allCases)
    func importersGetNoIncompleteItem(program: Program) async throws {
        try await whileReceiving(program) { port in
            let unknown = try begin(.folder, at: port, requiring: [.unknown])
            #expect(try unknown.nextReceipt() == .failed(StoringFailure(.fidelity)))
            unknown.cut()
            let lacking = try begin(.folder, at: port, requiring: [.content])
            try lacking.openLane().send(.folder(0), .whole(1, name: "a\nb", [1]))
            #expect(try lacking.nextReceipt() == .failed(StoringFailure(.fidelity)))
            lacking.cut()
        }
    }

    @Test("the receipt for an item given to a program lists the omissions of both sides", arguments: Program.allCases)
    func receiptsOfProgramsNameOmissions(program: Program) async throws {
        let unread = Omission(path: Array("pipe".utf8), reason: .specialFile)
        try await whileReceiving(program) { port in
            let peer = try begin(.folder, at: port, requiring: [])
            let lane = try peer.openLane()
            try lane.send(.folder(0), .whole(1, name: "a\nb", [1]), .whole(2, name: "c", [2, 3]), .mark)
            try lane.sendEnd()
            try peer.send(
                .end(Message.End(transfer: 1, entries: 3, bytes: 3, omissions: Omissions([unread]), lanes: [0])))
            let stored = try peer.nextStored()
            #expect(stored?.omissions == Omissions([unread, Omission(path: Array("a\nb".utf8), reason: .name)]))
            #expect(stored?.bytes == 2 && stored?.entries == 2 && stored?.name == [])
            peer.cut()
        }
    }

    @Test(
        "an output declines a file whose permissions, times, attributes or holes are required, and accepts another one")
    func outputsKeepContentAlone() async throws {
        let home = Self.home()
        defer { try? FileManager.default.removeItem(at: home) }
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(null) }
        let node = try Node(blocking: .onLoopback("victim", home: home))
        let (port, receiving) = try await node.startReceiving(to: null)
        defer { receiving.cancel() }
        try await withHostileThread {
            for requirement: Fidelity in [.unknown, .mode, .modified, .attributes, .sparse] {
                let peer = try begin(.file, at: port, requiring: [.content, requirement])
                #expect(try peer.nextReceipt() == .failed(StoringFailure(.fidelity)), "\(requirement)")
                peer.cut()
            }
            let peer = try begin(.file, at: port, requiring: [.content, .symbolicLinks, .hardLinks])
            try peer.sendWholeFile([7])
            #expect(try peer.nextStored()?.bytes == 1)
            peer.cut()
        }
    }
}
