import Glibc
import Synchronization

@testable import FilesTestSupport
@testable import PortolanFiles

/// Checks the destination after every call that changed something there: every visible item is whole.
final class DestinationWatch: Sendable {
    private struct State {
        let name: String
        let isFolder: Bool
        /// Acceptable contents of each path.
        var acceptable: [String: [SimulatedSource.Kind]] = [:]
        /// Paths that the sender has at the moment.
        var paths: [String] = []
        /// Paths that had to be visible when the item first became visible.
        var published: Set<String> = []
        /// Paths that were visible at any time.
        var committed: Set<String> = []
        /// Paths that were visible when the receipt was given.
        var confirmed: Set<String> = []
        var isVisible = false
        /// Files whose content was checked. Visible files are not written to, so one check is enough.
        var verified: Set<FileIdentity> = []
        var isLooking = true
        var trouble: String?
    }

    private let state: Mutex<State>

    init(_ source: SimulatedSource) {
        state = Mutex(State(name: source.name, isFolder: source.isFolder))
        add(source)
    }

    /// Adds another version of the source, or the same one.
    func add(_ source: SimulatedSource) {
        state.withLock { state in
            state.paths = source.paths
            for (index, path) in source.paths.enumerated() {
                var kind = source.entries[index].kind
                if let content = source.content(of: index) { kind = .file(content) }
                if state.acceptable[path]?.contains(kind) != true { state.acceptable[path, default: []].append(kind) }
            }
        }
    }

    /// Notes that a file at the receiver's was changed by a person.
    func add(edited bytes: [UInt8], at path: String) {
        state.withLock { $0.acceptable[path, default: []].append(.file(SimulatedSource.Content(bytes: bytes))) }
    }

    /// The item's own users work on it while `body` runs.
    func withoutLooking(_ body: () throws -> Void) rethrows {
        state.withLock { $0.isLooking = false }
        defer { state.withLock { $0.isLooking = true } }
        try body()
    }

    /// Paths that were visible at some time.
    var committed: Set<String> { state.withLock(\.committed) }

    func check() throws {
        if let trouble = state.withLock(\.trouble) { throw Trouble(trouble) }
    }

    func saw(_ event: SimulatedDisk.Event, in folder: String) {
        state.withLock { state in
            guard state.isLooking, state.trouble == nil else { return }
            switch event {
            case .wrote(let file):
                let path = Self.path(of: file)
                guard path.contains("/" + FileName.partialPrefix) else {
                    state.trouble = "Something was written to \(path), which can be seen"
                    return
                }
            case .named: Self.look(at: folder, &state)
            }
        }
    }

    /// The receipt was given.
    func confirm() { state.withLock { $0.confirmed = $0.committed } }

    /// Checks all files again after a power failure: unconfirmed ones may be gone.
    func lookAgain(at folder: String) {
        state.withLock { state in
            state.verified = []
            state.committed = state.confirmed
            state.isVisible = !state.confirmed.isEmpty
            // Stored and unconfirmed content may have survived, without later changes to it.
            if Self.visible(in: folder).isEmpty { state.published = [] }
            Self.look(at: folder, &state)
        }
    }

    static func visible(in folder: String) -> [String] {
        names(in: folder).filter { !$0.hasPrefix(FileName.partialPrefix) }
    }

    private static func path(of file: Descriptor) -> String {
        var target = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/fd/\(file.number)", &target, target.count)
        return String(decoding: target.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: Looking

    private static func look(at folder: String, _ state: inout State) {
        let roots = visible(in: folder)
        if state.isFolder, roots.count > 1 { state.trouble = "The folder is there twice: \(roots)" }
        var found: Set<String> = []
        for root in roots {
            guard withoutNumber(root) == state.name else {
                state.trouble = "Nobody sent \(root)"
                continue
            }
            look(at: "\(folder)/\(root)", "", &found, &state)
        }
        if !state.isVisible, !roots.isEmpty {
            state.isVisible = true
            if state.published.isEmpty { state.published = Set(state.paths) }
            state.committed = state.published
        }
        let missing = state.committed.subtracting(found)
        if state.isVisible, !missing.isEmpty, state.trouble == nil {
            state.trouble = "It can be seen without \(missing.sorted().prefix(5))"
        }
        // Later changes must not be lost from here on, either.
        if state.isVisible { state.committed.formUnion(found.intersection(state.acceptable.keys)) }
    }

    private static func look(at full: String, _ path: String, _ found: inout Set<String>, _ state: inout State) {
        found.insert(path)
        guard let status = status(of: full) else { return }
        let kinds = (state.acceptable[path] ?? []) + (state.acceptable[withoutNumber(path)] ?? [])
        switch status.kind {
        case .folder:
            if !kinds.contains(.folder) { state.trouble = "Nobody sent a folder \(path)" }
            for name in names(in: full) { look(at: "\(full)/\(name)", "\(path)/\(name)", &found, &state) }
        case .file:
            guard !state.verified.contains(status.identity) else { return }
            let bytes = content(of: full)
            let isWhole = kinds.contains { if case .file(let content) = $0 { content.bytes == bytes } else { false } }
            if !isWhole { state.trouble = "What can be seen of “\(path)” is not whole: \(bytes?.count ?? -1) bytes" }
            state.verified.insert(status.identity)
        case .symbolicLink:
            let isRight = kinds.contains {
                if case .link(let target) = $0 { linkTarget(full) == target } else { false }
            }
            if !isRight { state.trouble = "The link \(path) leads elsewhere" }
        case .pipe, .socket, .device: state.trouble = "Nobody sent \(path)"
        }
    }

    static func linkTarget(_ path: String) -> String {
        var target = [CChar](repeating: 0, count: 4096)
        let length = readlink(path, &target, target.count)
        return String(decoding: target.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A name without the number that was added because it was taken.
    static func withoutNumber(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: "(")) else { return path }
        return path.replacing(#/ \([0-9]+\)(?<ending>(\.[^./]*)?)$/#) { $0.output.ending }
    }
}
