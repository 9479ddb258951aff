import Foundation
import GRDB
import Glibc
import Synchronization
import Testing

@testable import Portolan
@testable import PortolanAgent
@testable import PortolanOutbox

/// Temporary folder, removed with its contents at the end of the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/portolan-agent-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no temporary folder") }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var database: String { "\(path)/agent.sqlite" }

    /// Names in the folder, in order.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    /// Copies the database and its log in their present state, as a killed process leaves them.
    func killed() throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: database + suffix, toPath: copy.database + suffix)
        }
        return copy
    }
}

/// A clock that changes only when it is set.
final class SetClock: Sendable {
    private let date: Mutex<Date>

    init(_ seconds: TimeInterval = 1_800_000_000) { date = Mutex(Date(timeIntervalSince1970: seconds)) }

    var now: Date {
        get { date.withLock { $0 } }
        set { date.withLock { $0 = newValue } }
    }

    func advance(_ seconds: TimeInterval) { date.withLock { $0 += seconds } }
}

let day: TimeInterval = 86_400

func open(_ folder: String, clock: SetClock = SetClock()) throws -> AgentDatabase {
    try AgentDatabase(lock: AgentLock(folder: folder), clock: { clock.now })
}

func open(_ folder: TemporaryFolder, clock: SetClock = SetClock()) throws -> AgentDatabase {
    try open(folder.path, clock: clock)
}

func id(_ number: Int) -> StateID { StateID([UInt8](repeating: UInt8(number), count: 16))! }
func key(_ number: Int) -> PeerKey { PeerKey([UInt8](repeating: UInt8(number), count: 32))! }

/// A parcel of data.
func parcel(
    _ number: Int, to target: String = "laptop", titles: [String]? = nil, content: Data = Data("parcel".utf8)
) throws -> Parcel {
    let items = (titles ?? ["report \(number).pdf"]).map { title in
        let form = ParcelForm(
            type: .data, name: nil, isFolder: false, restriction: .everyone, content: .data(content))
        return ParcelItem(title: title, forms: [form], preview: nil)
    }
    return try Parcel(
        id: RandomID(id(number).description) ?? .random(), created: Date(timeIntervalSince1970: 0),
        target: ParcelTarget(target), items: items, previews: [], options: ParcelOptions())
}

func item(
    _ number: Int, of peer: PeerKey = key(7), parcel: StateID? = id(1), deadline: Date? = nil,
    fallback: InboxFallback = .decline
) -> InboxRecord {
    InboxRecord(
        peer: peer, sender: "Ada's laptop", parcel: parcel, item: number, place: number, title: "photo \(number)",
        rule: "friends:12", deadline: deadline, fallback: fallback)
}

let file = StoredItemFile(name: "photo.jpg", path: "/home/ada/photo.jpg", size: 1234, digest: [1, 2, 3])

/// Description of an offer.
let offer = #"{"type":"public.jpeg"}"#

/// Kind of the error of the state that `body` throws; nil if it throws none.
func stateFailure(_ body: () throws -> Void) -> AgentStateError.Kind? {
    do {
        try body()
        return nil
    } catch {
        return (error as? AgentStateError)?.kind
    }
}

extension AgentDatabase {
    /// Kinds of all entries, as text.
    func kinds() throws -> [String] {
        try writeBlocking { try $0.journal.entries(after: nil, limit: .max).map(\.kind.rawValue) }
    }

    func newest() throws -> JournalCursor { try writeBlocking { try $0.journal.range().newest } }

    func pragma(_ name: String) throws -> String? {
        try writeBlocking { try String.fetchOne($0.database, sql: "PRAGMA \(name)") }
    }
}

/// Two megabytes in memory, mounted on a temporary folder.
final class SmallDisk: Sendable {
    private let folder = TemporaryFolder()

    var path: String { "\(folder.path)/agent" }

    init() { #expect(mount("none", folder.path, "tmpfs", 0, "size=2m,mode=700") == 0) }

    deinit { umount2(folder.path, Int32(MNT_DETACH)) }

    func remount(readOnly: Bool) -> Bool {
        mount("none", folder.path, nil, UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0), "size=2m") == 0
    }

    /// Fills the disk.
    func fill() {
        let file = Glibc.open("\(folder.path)/filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let bytes = [UInt8](repeating: 1, count: 4096)
        while write(file, bytes, bytes.count) > 0 {}
        close(file)
    }

    func empty() { unlink("\(folder.path)/filler") }

    /// Root in a container may still not mount.
    static let isPermitted: Bool = {
        let folder = TemporaryFolder()
        guard geteuid() == 0, mount("none", folder.path, "tmpfs", 0, "size=1m") == 0 else { return false }
        return umount(folder.path) == 0
    }()
}

extension Journal {
    /// Entries of one transfer, the oldest first.
    func entries(ofTransfer transfer: String) throws -> [JournalEntry] {
        try entries(after: nil, limit: .max).filter { $0.transfer == transfer }
    }
}
