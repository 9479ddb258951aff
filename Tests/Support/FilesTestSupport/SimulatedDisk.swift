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

    private struct Node {
        var kind: FileStatus.Kind
        var content: [UInt8] = []
        var names: [String: Int] = [:]
        var mode: UInt16
        var modified: FileTime?
        var attributes: [String: [UInt8]] = [:]
    }

    /// A change of names, not yet durable.
    private enum Naming {
        case put(Int, Int, String)
        case take(Int, String)
        case move(Int, String, Int, String)
        case exchange(Int, String, Int, String)

        func concerns(_ folder: Int) -> Bool {
            switch self {
            case .put(_, let place, _), .take(let place, _): place == folder
            case .move(let from, _, let to, _), .exchange(let from, _, let to, _): from == folder || to == folder
            }
        }
    }

    /// A change of a file or folder itself, not yet durable.
    private enum Change {
        case write(UInt64, [UInt8])
        case resize(UInt64)
        case clear(Range<UInt64>)
        case time(FileTime)
        case mode(UInt16)
        case attribute(String, [UInt8])
    }

    private struct State {
        /// Durable state.
        var nodes: [Int: Node] = [0: Node(kind: .folder, mode: 0o700)]
        var namings: [Naming] = []
        var changes: [Int: [Change]] = [:]
        /// Durable nodes of the files that programs see.
        var numbers: [FileIdentity: Int] = [:]
        var next = 1
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
            let durable = Self.survivors(&state)
            state.nodes = durable
            state.namings = []
            state.changes = [:]
            state.numbers = [:]
            state.fault = nil
            state.isDead = false
            state.life += 1
        }
        let nodes = state.withLock(\.nodes)
        // Names of one file lead to one file again.
        var made: [Int: String] = [:]
        build(0, at: path, nodes, &made)
    }

    private static func survivors(_ state: inout State) -> [Int: Node] {
        var nodes = state.nodes
        let count = Int.random(in: 0...state.namings.count, using: &state.generator)
        for naming in state.namings.prefix(count) { apply(naming, to: &nodes) }
        for number in state.changes.keys.sorted() {
            let changes = state.changes[number] ?? []
            // Sizes, times and attributes survive in their order; pages at random.
            let kept = Int.random(in: 0...changes.count, using: &state.generator)
            for (place, change) in changes.enumerated() {
                if case .write(let offset, let bytes) = change {
                    writePages(bytes, at: offset, number, isKept: place < kept, &nodes, &state.generator)
                } else if place < kept {
                    apply(change, to: number, &nodes)
                }
            }
        }
        return nodes
    }

    private static func writePages(
        _ bytes: [UInt8], at offset: UInt64, _ number: Int, isKept: Bool, _ nodes: inout [Int: Node],
        _ generator: inout SeededGenerator
    ) {
        var next = 0
        while next < bytes.count {
            let end = min(bytes.count, next + 64 << 10)
            let there = UInt64(nodes[number]?.content.count ?? 0)
            // A page may have reached the disk before the size that covers it, and is not visible then.
            let page = Array(bytes[next..<end])
            if Bool.random(using: &generator) {
                if isKept || offset + UInt64(end) <= there {
                    apply(.write(offset + UInt64(next), page), to: number, &nodes)
                }
            } else if isKept, offset + UInt64(end) > there {
                apply(.resize(offset + UInt64(end)), to: number, &nodes)
            }
            next = end
        }
    }

    private static func apply(_ naming: Naming, to nodes: inout [Int: Node]) {
        switch naming {
        case .put(let number, let folder, let name): nodes[folder]?.names[name] = number
        case .take(let folder, let name): nodes[folder]?.names[name] = nil
        case .move(let from, let name, let to, let other):
            let number = nodes[from]?.names.removeValue(forKey: name)
            nodes[to]?.names[other] = number
        case .exchange(let from, let name, let to, let other):
            let number = nodes[from]?.names[name]
            let taken = nodes[to]?.names[other]
            nodes[from]?.names[name] = taken
            nodes[to]?.names[other] = number
        }
    }

    private static func apply(_ change: Change, to number: Int, _ nodes: inout [Int: Node]) {
        guard var node = nodes.removeValue(forKey: number) else { return }
        defer { nodes[number] = node }
        func grow(to size: Int) {
            if node.content.count < size { node.content += [UInt8](repeating: 0, count: size - node.content.count) }
        }
        switch change {
        case .write(let offset, let bytes):
            grow(to: Int(offset) + bytes.count)
            node.content.replaceSubrange(Int(offset)..<Int(offset) + bytes.count, with: bytes)
        case .resize(let size):
            grow(to: Int(size))
            node.content.removeLast(node.content.count - Int(size))
        case .clear(let range):
            let start = min(Int(range.lowerBound), node.content.count)
            let inside = start..<max(start, min(Int(range.upperBound), node.content.count))
            node.content.replaceSubrange(inside, with: repeatElement(0, count: inside.count))
        case .time(let time): node.modified = time
        case .mode(let mode): node.mode = mode
        case .attribute(let name, let value): node.attributes[name] = value
        }
    }

    private func build(_ number: Int, at path: String, _ nodes: [Int: Node], _ made: inout [Int: String]) {
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

    private func change(_ file: Descriptor, _ change: Change, _ body: () throws(SystemFailure) -> Void)
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
            state.changes[number(file, state), default: []].append(change)
        }
    }

    private func appear(
        _ identity: FileIdentity, _ node: Node, _ name: String, in folder: Descriptor, _ state: inout State
    ) {
        let new = state.next
        state.next += 1
        state.nodes[new] = node
        state.numbers[identity] = new
        state.namings.append(.put(new, number(folder, state), name))
    }

    func makeFile(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) -> Descriptor {
        try call { () throws(SystemFailure) in
            try disk.makeFile(name, in: folder, mode: mode)
        } noting: { state, file in
            guard let status = try? file.status() else { return }
            appear(status.identity, Node(kind: .file, mode: status.mode), name, in: folder, &state)
        }
    }

    func makeFolder(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) {
        try call { () throws(SystemFailure) in
            try disk.makeFolder(name, in: folder, mode: mode)
        } noting: { state, _ in
            guard let status = try? folder.status(of: name) else { return }
            appear(status.identity, Node(kind: .folder, mode: status.mode), name, in: folder, &state)
        }
    }

    func makeLink(_ name: String, to target: String, in folder: Descriptor) throws(SystemFailure) {
        try call { () throws(SystemFailure) in
            try disk.makeLink(name, to: target, in: folder)
        } noting: { state, _ in
            guard let status = try? folder.status(of: name) else { return }
            let node = Node(kind: .symbolicLink, content: Array(target.utf8), mode: 0o777)
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
            state.namings.append(.put(linked, number(otherFolder, state), other))
        }
    }

    func move(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ manner: MoveManner
    ) throws(SystemFailure) {
        try call { () throws(SystemFailure) in
            try disk.move(name, in: folder, to: other, in: otherFolder, manner)
        } noting: { state, _ in
            let (from, to) = (number(folder, state), number(otherFolder, state))
            state.namings.append(
                manner == .exchanging ? .exchange(from, name, to, other) : .move(from, name, to, other))
        }
    }

    func remove(_ name: UnsafePointer<CChar>, in folder: Descriptor, isFolder: Bool) throws(SystemFailure) {
        try call { () throws(SystemFailure) in
            try disk.remove(name, in: folder, isFolder: isFolder)
        } noting: { state, _ in
            state.namings.append(.take(number(folder, state), String(cString: name)))
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
            state.changes[link, default: []].append(.time(time))
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
                let synced = number(file, state)
                for change in state.changes.removeValue(forKey: synced) ?? [] {
                    Self.apply(change, to: synced, &state.nodes)
                }
                guard let last = state.namings.lastIndex(where: { $0.concerns(synced) }) else { return }
                for naming in state.namings[...last] { Self.apply(naming, to: &state.nodes) }
                state.namings.removeFirst(last + 1)
            }
        } catch {
            state.withLock { state in
                if !state.isDead { lose([number(file, state)], &state) }
            }
            throw error
        }
    }

    func syncAll(_ file: Descriptor) throws(SystemFailure) {
        do throws(SystemFailure) {
            try call(nil, {}) { state, _ in
                for naming in state.namings { Self.apply(naming, to: &state.nodes) }
                for (number, changes) in state.changes {
                    for change in changes { Self.apply(change, to: number, &state.nodes) }
                }
                state.namings = []
                state.changes = [:]
            }
        } catch {
            state.withLock { state in
                if !state.isDead { lose(state.changes.keys.sorted(), &state) }
            }
            throw error
        }
    }

    func isInMemory(_ file: Descriptor) -> Bool { false }

    /// Drops the changes of files whose flush failed.
    private func lose(_ files: [Int], _ state: inout State) {
        for file in files {
            state.changes[file]?.removeAll {
                if case .write = $0 { Bool.random(using: &state.generator) } else { false }
            }
        }
    }
}
