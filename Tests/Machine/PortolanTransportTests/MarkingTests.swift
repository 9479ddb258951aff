import Foundation
import Glibc
import PortolanProtocol
import PortolanValues
import Synchronization
import Testing

@testable import PortolanFiles
@testable import PortolanTransport

/// Files that are marked for other people while they are sent.
@Suite(.timeLimit(.minutes(20))) struct MarkingTests {
    /// Marks a file once.
    private final class Marker: Sendable {
        private let path: String
        private let restriction: Restriction
        private let isMarked = Mutex(false)

        init(path: String, restriction: Restriction) {
            self.path = path
            self.restriction = restriction
        }

        var hasMarked: Bool { isMarked.withLock(\.self) }

        func mark() throws {
            let isFirst = isMarked.withLock { isMarked in
                defer { isMarked = true }
                return !isMarked
            }
            if isFirst { try StoredVisibility.keep(restriction, on: Descriptor(owning: open(path, O_RDONLY))) }
        }
    }

    @Test("a file that is marked while it is sent is sent no further; its folder is", arguments: [false, true])
    func stopsAtTheMark(inFolder: Bool) async throws {
        let size = 64 << 20
        let team = try #require(TeamID(bytes: [UInt8](repeating: 7, count: TeamID.length)))
        let restriction = Restriction(.team, for: try Audience(team: team, groups: []))
        try await withFolder { folder in
            let tree = folder.appending(path: "tree")
            try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
            let file = tree.appending(path: "large").path
            try Data(repeating: 1, count: size).write(to: URL(fileURLWithPath: file))
            try Data(count: 10).write(to: tree.appending(path: "small"))
            let marker = Marker(path: file, restriction: restriction)
            let sink = Counting(onWrite: { try marker.mark() })
            let disk = SourceDisk(storage: KernelStorage(), markLifetime: .zero)
            try await SessionPair.with { pair in
                async let received: Void = pair.receive(with: Taking(sinks: [sink]))
                let outcomes = try await pair.send([.file(path: inFolder ? tree.path : file, on: disk)])
                try await received
                #expect(marker.hasMarked)
                #expect(sink.count < UInt64(size))
                let stored = outcomes.filter { if case .stored = $0 { true } else { false } }
                #expect(stored.count == (inFolder ? 1 : 0))
            }
        }
    }
}
