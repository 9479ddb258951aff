import Glibc
import Synchronization
import TestSupport

@testable import PortolanFiles

/// A disk that can fail and lose power at each call that changes something.
///
/// Programs see an ordinary folder in memory. The type also tracks the durable state, which would survive a loss of
/// power: names become durable in the order of their changes, at the latest when a folder with a change is flushed;
/// content, size, time, permissions and attributes of a file become durable when that file is flushed. Unflushed
/// changes may have reached the disk page by page, so a crash keeps a random part of them. This is the least that any
/// journaling file system promises. A failed flush loses its changes, although programs still see them.
final class SimulatedDisk: Storage {
    /// Fault at a call.
    enum Fault: Hashable {
        case powerFails
        /// The process that uses the disk ends. Its changes stay for the next process: ``restart()``.
        case processEnds
        /// The call fails with this error, once, without an effect.
        case error(Int32)
    }

    /// A change that programs see.
    enum Event {
        /// Names in a folder.
        case named
        /// Content of this file.
        case wrote(Descriptor)
    }

    private struct State {
        var durable = DurableState()
        /// Durable nodes of the files that programs see.
        var numbers: [FileIdentity: Int] = [:]
        var calls = 0
        var fault: (call: Int, Fault)?
        var isDead = false
        var life = 0
        var watch: (@Sendable (_ path: String, Event) -> Void)?
        var generator: SeededGenerator
    }

    let disk: KernelStorage
    let lookHook = Mutex(LookHook())
    private let temporary = TemporaryFolder.inMemory()
    private let state: Mutex<State>

    init(seed: UInt64, features: KernelFeatures = .detected) {
        disk = KernelStorage(features: features)
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
        temporary.folder("0", mode: 0o700)
        register(path, as: 0)
    }

    /// Folder that programs see; a different one after each loss of power.
    var path: String { state.withLock { temporary("\($0.life)") } }

    /// Number of calls that changed, or would have changed, the disk.
    var calls: Int { state.withLock(\.calls) }

    /// True after a loss of power, or the end of the process.
    var isDead: Bool { state.withLock(\.isDead) }

    /// Calls a function, with the folder that programs see, after each change there.
    func watch(_ body: @escaping @Sendable (_ path: String, Event) -> Void) { state.withLock { $0.watch = body } }

    /// Ends the process that uses the disk: its further calls have no effect.
    func endProcess() { state.withLock { $0.isDead = true } }

    /// Starts another process on the disk, without a loss of power.
    func restart() {
        state.withLock { state in
            state.fault = nil
            state.isDead = false
        }
    }

    /// Plans a fault for a later call, counted from now.
    func plan(_ fault: Fault, in calls: Int) { state.withLock { $0.fault = ($0.calls + calls, fault) } }

    func cancelPlan() { state.withLock { $0.fault = nil } }

    private func register(_ path: String, as number: Int) {
        guard let status = FilesTestSupport.status(of: path) else { fatalError("no \(path)") }
        state.withLock { $0.numbers[status.identity] = number }
    }

    // MARK: - Losing power

    /// Lets power fail, if it has not, and return: programs then see the durable state.
    func losePower() {
        state.withLock { state in
            state.durable.losePower(using: &state.generator)
            state.numbers = [:]
            state.fault = nil
            state.isDead = false
            state.life += 1
        }
        let nodes = state.withLock(\.durable.nodes)
        // Names of one file lead to one file again.
        var made: [Int: String] = [:]
        build(0, at: path, nodes, &made)
    }

    private func build(_ number: Int, at path: String, _ nodes: [Int: DurableState.Node], _ made: inout [Int: String]) {
        guard let node = nodes[number] else { fatalError("a name of nothing") }
        if let other = made[number] {
            guard Glibc.link(other, path) == 0 else { fatalError("no link \(path)") }
            return
        }
        made[number] = path
        if node.kind == .symbolicLink {
            symlink(String(decoding: node.content, as: UTF8.self), path)
            if let time = node.modified { _ = time.withTimes { utimensat(AT_FDCWD, path, $0, AT_SYMLINK_NOFOLLOW) } }
            return register(path, as: number)
        }
        if node.kind == .folder { mkdir(path, 0o700) }
        let file = Glibc.open(path, node.kind == .folder ? O_RDONLY : O_RDWR | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { fatalError("no \(path)") }
        let descriptor = Descriptor(owning: file)
        for (name, inner) in node.names.sorted(by: { $0.key < $1.key }) {
            build(inner, at: path + "/" + name, nodes, &made)
        }
        node.content.withUnsafeBytes { _ = try? descriptor.write($0, at: 0) }
        for (name, value) in node.attributes { try? disk.setAttribute(name, value, of: descriptor) }
        try? disk.setPermissions(node.mode, of: descriptor)
        if let time = node.modified { try? descriptor.setModified(time) }
        register(path, as: number)
    }

    // MARK: - Calls

    /// Runs a call and records its changes, unless a fault is due.
    ///
    /// - Parameter fillsUp: true if the call can fail because the disk is full. Calls for attributes and times return
    ///   that error for other reasons, too.
    private func call<Result>(
        fillsUp: Bool = true, _ event: Event? = .named, _ body: () throws(SystemFailure) -> Result,
        noting note: (inout State, Result) -> Void
    ) throws(SystemFailure) -> Result {
        try state.withLock { state throws(SystemFailure) in
            state.calls += 1
            if state.isDead { throw SystemFailure(EIO) }
            if let (call, fault) = state.fault, call <= state.calls, fillsUp || fault != .error(ENOSPC) {
                state.fault = nil
                switch fault {
                case .powerFails, .processEnds:
                    state.isDead = true
                    throw SystemFailure(EIO)
                case .error(let number): throw SystemFailure(number)
                }
            }
        }
        let result = try body()
        let watch = state.withLock { state in
            note(&state, result)
            return state.watch
        }
        if let event { watch?(path, event) }
        return result
    }

    private func number(_ file: Descriptor, _ state: borrowing State) -> Int {
        guard let status = try? file.status(), let number = state.numbers[status.identity] else {
            fatalError("a file that the disk does not know")
        }
        return number
    }

    private func change(_ file: Descriptor, _ change: DurableState.Change, _ body: () throws(SystemFailure) -> Void)
        throws(SystemFailure)
    {
        let fillsUp: Bool
        let event: Event?
        switch change {
        case .write: (fillsUp, event) = (true, .wrote(file))
        case .resize, .clear: (fillsUp, event) = (false, .wrote(file))
        case .time, .mode, .attribute: (fillsUp, event) = (false, nil)
        }
        try call(fillsUp: fillsUp, event, body) { state, _ in
            state.durable.note(change, of: number(file, state))
        }
    }

    private func appear(
        _ identity: FileIdentity, _ node: DurableState.Node, _ name: String, in folder: Descriptor, _ state: inout State
    ) {
        let new = state.durable.add(node)
        state.numbers[identity] = new
        state.durable.note(.put(new, number(folder, state), name))
    }

    func makeFile(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) -> Descriptor {
        try call { () throws(SystemFailure) in
            try disk.makeFile(name, in: folder, mode: mode)
        } noting: { state, file in
            guard let status = try? file.status() else { return }
            appear(status.identity, DurableState.Node(kind: .file, mode: status.mode), name, in: folder, &state)
        }
    }

    func makeFolder(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) {
        try call { () throws(SystemFailure) in
            try disk.makeFolder(name, in: folder, mode: mode)
        } noting: { state, _ in
            guard let status = try? folder.status(of: name) else { return }
            appear(status.identity, DurableState.Node(kind: .folder, mode: status.mode), name, in: folder, &state)
        }
    }

    func makeLink(_ name: String, to target: String, in folder: Descriptor) throws(SystemFailure) {
        try call { () throws(SystemFailure) in
            try disk.makeLink(name, to: target, in: folder)
        } noting: { state, _ in
            guard let status = try? folder.status(of: name) else { return }
            let node = DurableState.Node(kind: .symbolicLink, content: Array(target.utf8), mode: 0o777)
            appear(status.identity, node, name, in: folder, &state)
        }
    }

    func link(
        _ name: String, in folder: Descriptor, as other: String, in otherFolder: Descriptor
    ) throws(SystemFailure) {
        try call { () throws(SystemFailure) in
            try disk.link(name, in: folder, as: other, in: otherFolder)
        } noting: { state, _ in
            guard let status = try? otherFolder.status(of: other), let linked = state.numbers[status.identity] else {
                return
            }
            state.durable.note(.put(linked, number(otherFolder, state), other))
        }
    }

    func move(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ manner: MoveManner
    ) throws(SystemFailure) {
        try call { () throws(SystemFailure) in
            try disk.move(name, in: folder, to: other, in: otherFolder, manner)
        } noting: { state, _ in
            let (from, to) = (number(folder, state), number(otherFolder, state))
            state.durable.note(
                manner == .exchanging ? .exchange(from, name, to, other) : .move(from, name, to, other))
        }
    }

    func remove(_ name: UnsafePointer<CChar>, in folder: Descriptor, isFolder: Bool) throws(SystemFailure) {
        try call { () throws(SystemFailure) in
            try disk.remove(name, in: folder, isFolder: isFolder)
        } noting: { state, _ in
            state.durable.note(.take(number(folder, state), String(cString: name)))
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: UInt64) throws(SystemFailure) {
        func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
            try change(file, .write(offset, Array(bytes))) { () throws(SystemFailure) in
                try disk.write(bytes, to: file, at: offset)
            }
        }
        do throws(SystemFailure) {
            try write(bytes)
        } catch {
            // A disk that becomes full takes the part for which there is room.
            if error.number == ENOSPC { try? write(UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2))) }
            throw error
        }
    }

    func resize(_ file: Descriptor, to size: UInt64) throws(SystemFailure) {
        try change(file, .resize(size)) { () throws(SystemFailure) in try disk.resize(file, to: size) }
    }

    func clear(_ range: Range<UInt64>, of file: Descriptor) throws(SystemFailure) {
        try change(file, .clear(range)) { () throws(SystemFailure) in try disk.clear(range, of: file) }
    }

    func setModified(_ time: FileTime, of file: Descriptor) throws(SystemFailure) {
        try change(file, .time(time)) { () throws(SystemFailure) in try disk.setModified(time, of: file) }
    }

    func setModified(_ time: FileTime, ofLink name: String, in folder: Descriptor) throws(SystemFailure) {
        try call(fillsUp: false) { () throws(SystemFailure) in
            try disk.setModified(time, ofLink: name, in: folder)
        } noting: { state, _ in
            guard let status = try? folder.status(of: name), let link = state.numbers[status.identity] else { return }
            state.durable.note(.time(time), of: link)
        }
    }

    func setPermissions(_ mode: UInt16, of file: Descriptor) throws(SystemFailure) {
        try change(file, .mode(mode)) { () throws(SystemFailure) in try disk.setPermissions(mode, of: file) }
    }

    func setAttribute(
        _ name: String, _ value: UnsafeRawBufferPointer, of file: Descriptor
    ) throws(SystemFailure) {
        try change(file, .attribute(name, Array(value))) { () throws(SystemFailure) in
            try disk.setAttribute(name, value, of: file)
        }
    }

    func sync(_ file: Descriptor) throws(SystemFailure) {
        do throws(SystemFailure) {
            try call(nil, {}) { state, _ in
                state.durable.flush(number(file, state))
            }
        } catch {
            state.withLock { state in
                if !state.isDead { state.durable.drop([number(file, state)], using: &state.generator) }
            }
            throw error
        }
    }

    func syncAll(_ file: Descriptor) throws(SystemFailure) {
        do throws(SystemFailure) {
            try call(nil, {}) { state, _ in
                state.durable.flushAll()
            }
        } catch {
            state.withLock { state in
                if !state.isDead { state.durable.drop(state.durable.unflushed, using: &state.generator) }
            }
            throw error
        }
    }

    func isInMemory(_ file: Descriptor) -> Bool { false }
}
