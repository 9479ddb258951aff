import PortolanFiles

/// Brings one repository and what other devices tell of theirs together (SYNC.md 6.4).
///
/// All work on objects and references is git's own. This type decides which references move, and writes for others what
/// this device has. Its calls block.
package struct RepositoryExchange {
    let folder: RepositoryFolder
    let git: GitProgram
    /// Name of this device, for others.
    let device: String
    var memory: RepositoryMemory
    /// Values of this device, with their versions.
    var own: RepositoryState
    var outcome = RepositoryOutcome()

    var storage: any Storage { folder.storage }

    /// Exchanges what the folder above `.git` has.
    ///
    /// - Parameters:
    ///   - device: name of this device.
    ///   - owner: what tells this device and the shared folder from others, on one line.
    ///   - tells: false if changes here are not for others.
    package static func run(
        in above: Descriptor, of device: String, owner: String, tells: Bool = true, storage: any Storage
    ) throws(RepositoryRefusal) -> RepositoryOutcome {
        guard let folder = try RepositoryFolder(in: above, storage) else { return RepositoryOutcome() }
        if let kind = folder.kind { throw .leftAlone(kind) }
        let isNew = !folder.isRepository
        if isNew, try folder.writers().isEmpty { return RepositoryOutcome() }
        let scratch = try folder.disk { () throws(SystemFailure) in try folder.local() }
        guard let git = GitProgram(in: above, scratch: scratch) else { throw .leftAlone(.noProgram) }
        let owner = try folder.disk { () throws(SystemFailure) in "\(owner) \(try folder.identity())" }
        let memory = RepositoryMemory(owner: owner, in: folder) ?? RepositoryMemory(owner: owner)
        if isNew {
            guard let format = try folder.writers().lazy.compactMap({ folder.state(of: $0)?.format }).first else {
                throw .incomplete
            }
            try make(format, git)
        }
        let format = try format(git)
        var exchange = RepositoryExchange(
            folder: folder, git: git, device: device, memory: memory,
            own: RepositoryState(device: device, format: format))
        exchange.takeUp()
        try exchange.run(tells: tells)
        return exchange.outcome
    }

    /// Returns numbers that change with what an exchange reads; nil without a folder `.git`.
    package static func signature(of above: Descriptor, _ storage: any Storage) -> [UInt64]? {
        (try? RepositoryFolder(in: above, storage))?.signature()
    }

    private static func make(_ format: ObjectFormat, _ git: GitProgram) throws(RepositoryRefusal) {
        let words = ["init", "-q", "--template=", "--object-format=\(format.rawValue)"]
        try git.run(words, findsRepository: true).check()
    }

    private static func format(_ git: GitProgram) throws(RepositoryRefusal) -> ObjectFormat {
        let found = try git.run(["rev-parse", "--show-object-format"])
        guard found.isSuccess, let format = ObjectFormat(rawValue: String(found.line)) else {
            throw .program(found.reason)
        }
        return format
    }

    /// Takes up the versions of an earlier exchange. Objects that were told by another writer are told again.
    private mutating func takeUp() {
        guard let text = memory.told ?? memory.earlier, let before = RepositoryState(text), before.format == own.format
        else { return }
        own = before
        if memory.told == nil { own.files = [] }
    }

    private mutating func run(tells: Bool) throws(RepositoryRefusal) {
        try finishCheckout()
        var sight = try observe()
        let isWritten = memory.told == nil || memory.told == folder.stateText(of: memory.writer)
        let before = own
        note(sight)
        if !isWritten {
            // Others have removed what this device told. Without a change here, and without files of theirs, the
            // repository is no more of concern to them.
            if before.hasValues(of: own), try others().isEmpty {
                outcome.isForgotten = true
                return
            }
            memory.beginAgain()
            own.files = []
        }
        own.device = device
        for (other, writer) in try others() {
            do throws(RepositoryRefusal) {
                try takeObjects(of: other, writer)
                try take(other, &sight)
            } catch {
                guard error == .incomplete || error == .atWork else { throw error }
                outcome.waits.append(RepositoryWait(device: other.device, reason: error))
            }
        }
        try memory.store(in: folder)
        if tells { try tell() }
    }

    /// Other devices' states, in the order of their writers.
    private func others() throws(RepositoryRefusal) -> [(state: RepositoryState, writer: WriterID)] {
        var states: [(RepositoryState, WriterID)] = []
        for writer in try folder.writers() where writer != memory.writer {
            guard let state = folder.state(of: writer), state.format == own.format else { continue }
            states.append((state, writer))
        }
        // Devices of one name, and a device that writes in another folder than before, are told apart.
        let slugs = Dictionary(grouping: states, by: \.0.slug)
        for place in states.indices where slugs[states[place].0.slug, default: []].count > 1 {
            states[place].0.slug += "-\(states[place].1.text.prefix(4))"
        }
        return states
    }
}

extension RepositoryFolder {
    /// Returns what a writer has told; nil if it is nothing that a device writes.
    func state(of writer: WriterID) -> RepositoryState? { stateText(of: writer).flatMap { RepositoryState($0) } }
}

extension RepositoryState {
    /// True if the values are the same.
    fileprivate func hasValues(of other: Self) -> Bool {
        head?.value == other.head?.value && index?.value == other.index?.value
            && refs.mapValues(\.value) == other.refs.mapValues(\.value)
    }
}

extension GitProgram.RunEnd {
    var reason: String { String(complaint.split(separator: "\n").first ?? "git ended with \(status)") }

    func check() throws(RepositoryRefusal) { if !isSuccess { throw .program(reason) } }
}

/// Changes of one device that wait.
package struct RepositoryWait: Hashable, Sendable {
    package var device: String
    package var reason: RepositoryRefusal
}

/// A reference that another device has at another place.
package struct RefApart: Hashable, Sendable {
    /// Name of the reference, without `refs/`.
    package var name: String
    package var device: String
    /// Name under which git has the other device's here.
    package var shown: String
}

/// Result of one exchange.
package struct RepositoryOutcome: Sendable {
    /// Folders in which something was written for others, from that above `.git` on.
    package var folders: [[String]] = []
    package var hasTold: Bool { !folders.isEmpty }
    /// True if references, head or index were changed here.
    package var hasTaken = false
    /// References that moved on several devices, in order.
    package var apart: [RefApart] = []
    package var waits: [RepositoryWait] = []
    /// True if other devices have removed what this one told, and nothing has changed here since.
    package var isForgotten = false

    package init() {}
}
