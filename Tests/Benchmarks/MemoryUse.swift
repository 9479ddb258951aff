import Foundation
import Glibc
import TestSupport

/// Memory of both sides in extreme cases: one huge sparse file, and very many files.
struct MemoryUse {
    let portolan: String
    let options: Options

    func run(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        try await hugeFile(from: a, to: b) + manyFiles(from: a, to: b)
    }

    private func hugeFile(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        let size = 100 << 30
        let islands = 100
        say("\n\(size >> 30) GiB in one file, all holes but \(islands) MiB")
        let file = a.files + "/huge"
        try Files.makeHollow(file, size: size)
        for island in 0..<islands {
            try Files.overwrite(
                file, at: island * (size / islands) + (5 << 20), with: noise(1 << 20, seed: UInt64(island)))
        }
        // A program that fills the holes would exhaust the machine's memory.
        let verdicts = try await measure(file, "100 GiB with holes", mayTake: 1 << 30, from: a, to: b)
        try Files.remove(file)
        return verdicts
    }

    private func manyFiles(from a: TestHost, to b: TestHost) async throws -> [Verdict] {
        let count = options.isQuick ? 100_000 : 1_000_000
        say("\n\(count) files of 0 and 16 bytes, half of them in one folder")
        let tree = a.files + "/many"
        try SmallFiles.makeMany(count, in: tree)
        let verdicts = try await measure(tree, "\(count) files", mayTake: 8 << 30, from: a, to: b)
        try await a.require(["rm", "-rf", tree], within: .seconds(300))
        return verdicts
    }

    /// - Parameter room: largest storage at b at any moment, in bytes.
    private func measure(
        _ item: String, _ what: String, mayTake room: Int, from a: TestHost, to b: TestHost
    ) async throws -> [Verdict] {
        // This disk is in memory, too, with room for a file without holes, since the holes are not known beforehand.
        let inbox = b.files + "/disk"
        try await b.mountDisk(at: inbox, size: 400 << 30)
        let disk = b.outside(inbox)
        let before = try Files.room(in: disk)
        let ours = PortolanByAddress(portolan: portolan)
        let receiver = try await ours.receiver(on: b, into: inbox)
        let sentBefore = a.cableBytes.sent
        var firstPayload: Duration?
        let sender = try await a.start(ours.sender(of: item, to: b, into: inbox))
        let memory = MemoryWatch([sender.pid, receiver.pid])
        let deadline = ContinuousClock.now + .seconds(900)
        var trouble: String?
        while sender.isRunning, trouble == nil {
            if try before - Files.room(in: disk) > room { trouble = "takes \(room >> 30) GiB and more" }
            if .now > deadline { trouble = "not within 15 minutes" }
            if firstPayload == nil, a.cableBytes.sent - sentBefore > Self.clearlyPayload {
                firstPayload = .now - sender.started
            }
            try await Task.sleep(for: .milliseconds(firstPayload == nil ? 2 : 20))
        }
        if trouble != nil { sender.kill() }
        let sending = try await sender.finish()
        let peaks = memory.stop()
        try await receiver.stop()
        if trouble == nil, sending.code != 0 {
            say("\(sending)")
            trouble = "failed"
        }
        let name = URL(fileURLWithPath: item).lastPathComponent
        if trouble == nil, try await !isEqual(item, "\(inbox)/\(name)", on: b) { trouble = "changed on the way" }
        try await b.require(["umount", "-l", inbox])
        say("\(what): \(number(sending.duration / .seconds(1), 1)) s\(trouble.map { ", " + $0 } ?? "")")
        let first = "\(what): until payload leaves"
        let verdicts = zip(["sender", "receiver"], peaks).map { side, peak in
            let title = "\(what): memory of the \(side)"
            if let trouble { return Verdict(title, missed: trouble, .atMost(96), digits: 1, unit: " MiB") }
            return Verdict(title, value: peak, .atMost(96), digits: 1, unit: " MiB")
        }
        guard let firstPayload else {
            return verdicts + [Verdict(first, missed: "not seen", .atMost(200), digits: 0, unit: " ms")]
        }
        let milliseconds = firstPayload / .milliseconds(1)
        return verdicts + [Verdict(first, value: milliseconds, .atMost(200), digits: 0, unit: " ms")]
    }

    /// More bytes than a negotiation takes.
    private static let clearlyPayload = 64 << 10
}
