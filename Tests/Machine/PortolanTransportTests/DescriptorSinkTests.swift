import Foundation
import Glibc
import PortolanFiles
import PortolanProtocol
import Testing

@testable import PortolanTransport

/// A sink that writes to a descriptor, and the events that end it.
@Suite(.timeLimit(.minutes(20))) struct DescriptorSinkTests {
    /// Number of zeros that takes too long to write.
    private static let endless: UInt64 = 1 << 62

    private func sink(_ descriptor: CInt) -> DescriptorSink {
        DescriptorSink(descriptor) { bytes, _ in .stored(try StoredItem(bytes: bytes)) }
    }

    /// Runs `body` on a thread of its own.
    ///
    /// - Returns: its error.
    private func onThread(_ body: @escaping @Sendable () throws -> Void) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try body()
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
    }

    @Test(
        "an endless hole that a reader takes as fast as it comes ends when the sink is interrupted",
        arguments: [true, false])
    func interruptionEndsTheWrite(isNull: Bool) async throws {
        let descriptor = open(isNull ? "/dev/null" : "/dev/zero", O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let sink = sink(descriptor)
        let hasBegun = Flag()
        let thrown = await withTaskGroup(of: (any Error)?.self) { tasks in
            tasks.addTask {
                await onThread {
                    hasBegun.set()
                    try sink.hole(0, at: 0, length: Self.endless)
                }
            }
            tasks.addTask {
                _ = try? await comesTrue { hasBegun.isSet }
                sink.interrupt()
                return nil
            }
            return await tasks.reduce(nil) { $0 ?? $1 }
        }
        #expect(thrown is CancellationError)
        #expect(throws: CancellationError.self) { try [1].withUnsafeBytes { try sink.write(0, at: 0, $0) } }
    }

    @Test("an endless hole ends when the task that writes it is cancelled")
    func cancellationEndsTheWrite() async throws {
        let descriptor = open("/dev/null", O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let sink = sink(descriptor)
        let hasBegun = Flag()
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                await withBlockingThread {
                    hasBegun.set()
                    #expect(throws: CancellationError.self) { try sink.hole(0, at: 0, length: Self.endless) }
                }
            }
            _ = try? await comesTrue { hasBegun.isSet }
            tasks.cancelAll()
        }
    }
}
