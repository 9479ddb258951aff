import PortolanSyncModel
import Synchronization

/// Files whose contents are being fetched for a folder, with what has come of them.
package struct FetchProgress: Hashable, Sendable {
    package var files = 0
    package var bytes: UInt64 = 0
    package var doneFiles = 0
    package var doneBytes: UInt64 = 0
}

/// Counter of contents of the steps that are planned now.
final class FetchCounter: Sendable {
    private struct State {
        var progress: FetchProgress?
        /// Bytes of contents that have not come as a whole.
        var partial: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Nil while nothing is fetched.
    var progress: FetchProgress? {
        state.withLock { state in
            guard var progress = state.progress else { return nil }
            progress.doneBytes = min(progress.bytes, progress.doneBytes + state.partial)
            return progress
        }
    }

    func begin(_ steps: [SyncStep]) {
        let contents = steps.compactMap(\.content)
        let bytes = contents.reduce(UInt64(0)) { sum, content in
            let (sum, isTooMuch) = sum.addingReportingOverflow(content.size)
            return isTooMuch ? .max : sum
        }
        state.withLock { state in
            state.partial = 0
            state.progress = contents.isEmpty ? nil : FetchProgress(files: contents.count, bytes: bytes)
        }
    }

    /// Records contents that are here now.
    func add(_ contents: [FileVersion]) {
        state.withLock { state in
            state.partial = 0
            state.progress?.doneFiles += contents.count
            for content in contents { state.progress?.doneBytes &+= content.size }
        }
    }

    func end() { begin([]) }

    func counted(_ source: any ContentSource) -> any ContentSource { Counted(source: source, counter: self) }

    private func add(partial bytes: Int) { state.withLock { $0.partial &+= UInt64(bytes) } }

    private struct Counted: ContentSource {
        let source: any ContentSource
        let counter: FetchCounter

        var partBytes: Int { source.partBytes }
        var partsAtOnce: Int { source.partsAtOnce }

        func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
            let bytes = try await source.read(at: offset, count: count)
            counter.add(partial: bytes.count)
            return bytes
        }
    }
}
