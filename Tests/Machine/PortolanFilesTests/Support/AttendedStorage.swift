import Dispatch
import FilesTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

@testable import PortolanFiles

/// The real disk; during each call that changes something, another thread makes a call of its own, which must finish.
final class AttendedStorage: PassThroughStorage {
    private struct State {
        var attendance: @Sendable () -> Void = {}
        var calls = 0
        var isLate = false
    }

    private let state = Mutex(State())
    private let begin = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)
    private let isOver = Atomic(false)
    /// The other thread. It is not recognised by a name: Foundation loses a name that a thread sets while it starts.
    private let attendant = Atomic<pthread_t>(0)
    private let hasHardLinks: Bool

    init(hasHardLinks: Bool = true) {
        self.hasHardLinks = hasHardLinks
        Thread.detachNewThread { [self] in
            attendant.store(pthread_self(), ordering: .relaxed)
            while true {
                begin.wait()
                if isOver.load(ordering: .relaxed) { return }
                state.withLock(\.attendance)()
                done.signal()
            }
        }
    }

    /// Number of calls during which the other thread ran, and whether it finished each time.
    var outcome: (calls: Int, isInTime: Bool) { state.withLock { ($0.calls, !$0.isLate) } }

    /// Does this during each call that changes something.
    func attend(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.attendance = body } }

    /// Ends the other thread, which holds this.
    func end() {
        isOver.store(true, ordering: .relaxed)
        begin.signal()
    }

    private func attended<Result>(_ call: () throws(SystemFailure) -> Result) throws(SystemFailure) -> Result {
        // Calls of the other thread itself start nothing, and neither do calls after it got stuck.
        guard pthread_self() != attendant.load(ordering: .relaxed), !state.withLock(\.isLate) else { return try call() }
        begin.signal()
        let isInTime = waitUntilDone()
        state.withLock { state in
            state.calls += 1
            if !isInTime { state.isLate = true }
        }
        return try call()
    }

    /// Waits long: on a machine that is busy with other tests, an attendant may get its turn late without being stuck.
    private func waitUntilDone() -> Bool {
        let end = ContinuousClock.now + .seconds(300)
        // Measured by a monotonic clock: a semaphore waits by the wall clock, which may be set.
        while done.wait(timeout: .now() + 10) != .success {
            guard .now < end else { return false }
        }
        return true
    }

    func makeFile(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) -> Descriptor {
        try attended { () throws(SystemFailure) in try disk.makeFile(name, in: folder, mode: mode) }
    }

    func makeFolder(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) {
        try attended { () throws(SystemFailure) in try disk.makeFolder(name, in: folder, mode: mode) }
    }

    func makeLink(_ name: String, to target: String, in folder: Descriptor) throws(SystemFailure) {
        try attended { () throws(SystemFailure) in try disk.makeLink(name, to: target, in: folder) }
    }

    func link(
        _ name: String, in folder: Descriptor, as other: String, in otherFolder: Descriptor
    ) throws(SystemFailure) {
        try attended { () throws(SystemFailure) in
            guard hasHardLinks else { throw SystemFailure(EPERM) }
            try disk.link(name, in: folder, as: other, in: otherFolder)
        }
    }

    func move(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ manner: MoveManner
    ) throws(SystemFailure) {
        try attended { () throws(SystemFailure) in
            try disk.move(name, in: folder, to: other, in: otherFolder, manner)
        }
    }

    func remove(_ name: UnsafePointer<CChar>, in folder: Descriptor, isFolder: Bool) throws(SystemFailure) {
        try attended { () throws(SystemFailure) in try disk.remove(name, in: folder, isFolder: isFolder) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: UInt64) throws(SystemFailure) {
        try attended { () throws(SystemFailure) in try disk.write(bytes, to: file, at: offset) }
    }

    func resize(_ file: Descriptor, to size: UInt64) throws(SystemFailure) {
        try attended { () throws(SystemFailure) in try disk.resize(file, to: size) }
    }

    func setModified(_ time: FileTime, of file: Descriptor) throws(SystemFailure) {
        try attended { () throws(SystemFailure) in try disk.setModified(time, of: file) }
    }

    func setPermissions(_ mode: UInt16, of file: Descriptor) throws(SystemFailure) {
        try attended { () throws(SystemFailure) in try disk.setPermissions(mode, of: file) }
    }

    func setAttribute(
        _ name: String, _ value: UnsafeRawBufferPointer, of file: Descriptor
    ) throws(SystemFailure) {
        try attended { () throws(SystemFailure) in try disk.setAttribute(name, value, of: file) }
    }

    func sync(_ file: Descriptor) throws(SystemFailure) {
        try attended { () throws(SystemFailure) in try disk.sync(file) }
    }

    func syncAll(_ file: Descriptor) throws(SystemFailure) {
        try attended { () throws(SystemFailure) in try disk.syncAll(file) }
    }
}
