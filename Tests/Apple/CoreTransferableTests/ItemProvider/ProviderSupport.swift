import CoreTransferable
import Synchronization
import Testing

/// Arguments of handler calls, in order.
final class Calls<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    func add(_ value: Value) { values.withLock { $0.append(value) } }
    var all: [Value] { values.withLock(\.self) }

    /// Waits for the first call.
    func first() async throws -> Value {
        try await eventually { !self.all.isEmpty }
        return all[0]
    }
}

struct NeverHeld: Error {}

/// Waits until a condition holds, without a time limit for busy machines.
func eventually(_ holds: @Sendable () -> Bool) async throws {
    for _ in 0..<30_000 {
        if holds() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    throw NeverHeld()
}

/// An event that threads wait for.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// True if the gate was opened within five minutes. Leaves it open for other waiters.
    func pass() -> Bool {
        let isOpen = semaphore.wait(timeout: .now() + 300) == .success
        if isOpen { semaphore.signal() }
        return isOpen
    }

    func open() { semaphore.signal() }
}

/// Loads within a scratch folder and checks that it is empty afterwards.
func leavingNothing(_ work: (ScratchFolder) async throws -> Void) async throws {
    let scratch = try ScratchFolder()
    let base = try scratch.folder("temporary", with: [])
    try await TemporaryFolder.$base.withValue(base) { try await work(scratch) }
    try await eventually { names(in: base).isEmpty }
}

func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
}

func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

func code(_ error: (any Error)?) -> Int? {
    guard let error = error.map({ $0 as NSError }), error.domain == NSItemProvider.errorDomain else { return nil }
    return error.code
}

func isUserCancelled(_ error: (any Error)?) -> Bool {
    guard let error = error.map({ $0 as NSError }) else { return false }
    return error.domain == NSCocoaErrorDomain && error.code == CocoaError.userCancelled.rawValue
}

extension NSItemProvider {
    /// Adds bytes.
    func registerBytes(
        _ type: UTType, _ bytes: String, visibility: NSItemProviderRepresentationVisibility = .all
    ) {
        registerDataRepresentation(for: type, visibility: visibility) { done in
            done(Data(bytes.utf8), nil)
            return nil
        }
    }

    /// Adds a file.
    func registerFile(_ type: UTType, _ file: URL, openInPlace: Bool = false) {
        registerFileRepresentation(for: type, openInPlace: openInPlace) { done in
            done(file, false, nil)
            return nil
        }
    }
}
