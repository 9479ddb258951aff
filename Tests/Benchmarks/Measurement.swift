import Foundation
import Glibc
import TestSupport

/// Costs of one contestant in one round.
struct Measurement {
    /// Time from the start of the sending process to the receipt: the end of the sending process, or of the receiving
    /// one if only that shows it.
    var seconds: Double
    /// Processor time of all processes of each side.
    var processorSeconds = (sender: 0.0, receiver: 0.0)
    /// Largest resident memory of each side's processes, summed, in MiB. Mapped parts of files count.
    var peak = (sender: 0.0, receiver: 0.0)
}

/// Method of transferring a file or folder from a to b.
protocol Contestant: Sendable {
    var name: String { get }
    /// Required programs.
    var needs: [String] { get }

    /// Prepares keys and daemons, once.
    func prepare(from a: TestHost, to b: TestHost) async throws
    /// Starts the receiving process, before the time is taken.
    func receiver(on b: TestHost, into folder: String) async throws -> RunningCommand
    /// Returns the command that sends.
    func sender(of file: String, to b: TestHost, into folder: String) -> Command
    /// True if the receiving process ends with the file, which is complete only then.
    var receiverEnds: Bool { get }
    /// True if the receiving process runs for all rounds.
    var receiverStays: Bool { get }
}

/// Item to transfer, with its options.
struct Load {
    /// The file or folder.
    var item: String
    /// True if the received item is kept for the next round.
    var staysThere = false
    /// True if other items, and former names in the item, may be in the destination.
    var isAmongOthers = false
    /// True to sample the memory, which costs the contestants processor time, too much in a short run.
    var watchesMemory = false
    var limit: Duration = .seconds(600)
}

extension Contestant {
    var needs: [String] { [] }
    var receiverEnds: Bool { false }
    var receiverStays: Bool { false }
    func prepare(from a: TestHost, to b: TestHost) async throws {}

    /// Transfers an item once, and compares it. The remains of a failed attempt are removed.
    func carry(_ load: Load, from a: TestHost, to b: TestHost) async throws -> Measurement {
        let folder = b.files + "/in" + (load.staysThere ? "-\(name.filter(\.isLetter))" : "")
        try Files.makeFolder(folder)
        let receiver = try await receiver(on: b, into: folder)
        do {
            return try await carry(load, from: a, to: b, into: folder, where: receiver)
        } catch {
            if !receiverStays { try await receiver.stop(SIGKILL) }
            try Files.remove(folder)
            throw error
        }
    }

    private func carry(
        _ load: Load, from a: TestHost, to b: TestHost, into folder: String, where receiver: RunningCommand
    ) async throws -> Measurement {
        let before = ProcessTree.processorSeconds(of: receiver.pid)
        let sender = try await a.start(sender(of: load.item, to: b, into: folder))
        let memory = load.watchesMemory ? MemoryWatch([sender.pid, receiver.pid]) : nil

        let sending = try await sender.finish(within: load.limit)
        guard sending.code == 0 else { throw HostsError("\(name) failed\n\(sending)") }
        var end = sender.started + sending.duration
        let receiving: Double
        if receiverEnds {
            let ended = try await receiver.finish(within: .seconds(60))
            guard ended.code == 0 else { throw HostsError("\(name) failed\n\(ended)") }
            end = max(end, receiver.started + ended.duration)
            receiving = ended.processorSeconds
        } else {
            // The processes of this round are about to end, after which their whole time is known.
            try await Task.sleep(for: .milliseconds(100))
            receiving = ProcessTree.processorSeconds(of: receiver.pid)
        }
        let peaks = memory?.stop() ?? [0, 0]
        let duration = end - sender.started
        if !receiverStays { try await receiver.stop() }

        let names = try Files.visibleNames(in: folder)
        if load.isAmongOthers {
            let own = URL(fileURLWithPath: load.item).lastPathComponent
            guard try await contains(folder + "/" + own, load.item, on: b) else {
                throw HostsError("\(name) changed what it carried")
            }
        } else {
            guard names.count == 1 else { throw HostsError("\(name) left \(names) where one item should be") }
            guard try await isEqual(load.item, folder + "/" + names[0], on: b) else {
                throw HostsError("\(name) changed what it carried")
            }
        }
        if !load.staysThere { try await b.require(["rm", "-rf", folder + "/" + names[0]], within: .seconds(300)) }
        return Measurement(
            seconds: duration / .seconds(1), processorSeconds: (sending.processorSeconds, receiving - before),
            peak: (peaks[0], peaks[1]))
    }
}

/// True if a folder contains all entries of another one.
///
/// - Parameter folder: path as seen by the host.
func contains(_ folder: String, _ other: String, on host: TestHost) async throws -> Bool {
    let diff = try await host.run(["diff", "-rq", "--no-dereference", other, folder], within: .seconds(600))
    return diff.code <= 1 && diff.text.split(separator: "\n").allSatisfy { $0.hasPrefix("Only in \(folder)") }
}

/// True if two files, or all files and links in two folders, are equal.
///
/// - Parameter other: path as seen by the host.
func isEqual(_ one: String, _ other: String, on host: TestHost) async throws -> Bool {
    var isFolder = ObjCBool(false)
    guard FileManager.default.fileExists(atPath: one, isDirectory: &isFolder), isFolder.boolValue else {
        return try Files.areEqual(one, host.outside(other))
    }
    return try await host.run(["diff", "-rq", "--no-dereference", one, other], within: .seconds(600)).code == 0
}
