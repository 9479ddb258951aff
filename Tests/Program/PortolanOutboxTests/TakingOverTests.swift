import Foundation
import GRDB
import Glibc
import PortolanClient
import PortolanCrypto
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanOutbox

/// Homes of version 0.3: a register of JSON files, and a database of the agent without sendings.
@Suite("Homes of earlier versions are taken over") final class TakingOverTests {
    private let root = FileManager.default.temporaryDirectory.path + "/portolan-earlier-\(UUID())"
    private let home: HomeDirectory
    private let lifetime = Duration.seconds(10 * 365 * 86400)

    init() throws {
        home = try HomeDirectory(override: root, environment: [:])
        _ = try PrivateDirectory(path: root + "/state/transfers")
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func write(_ text: String, as name: String) throws {
        let path = root + "/state/transfers/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/state/transfers").sorted()
    }

    private func contents() throws -> TransferRegister.Contents {
        try TransferRegister(home).contents(lifetime: lifetime)
    }

    private static let file = #"""
        {
          "forms" : [
            {
              "folder" : false, "name" : "disk.img", "path" : "/tmp/disk.img", "restriction" : { "visibility" : "all" },
              "type" : "public.data"
            }
          ]
        }
        """#

    /// A parcel of two items as version 0.3 wrote it; the first item is stored.
    private static let parcel = #"""
        {
          "created" : "2026-11-28T13:05:00Z",
          "format" : "portolan parcel",
          "id" : "00112233445566778899aabbccddeeff",
          "items" : [ \#(file), \#(file) ],
          "members" : { },
          "options" : {
            "allow-omissions" : false, "compression" : "auto", "converters" : true, "require" : [ ], "xattrs" : false
          },
          "previews" : [ ],
          "settled" : { "0" : "stored" },
          "target" : { "fingerprint" : "\#(Fingerprint(ofKeyBytes: [7]))", "text" : "b" },
          "version" : 2
        }
        """#

    /// A document as version 0.3 wrote it.
    private func document(_ id: String) -> String {
        #"""
        {
          "bytes" : 10,
          "changed" : "2026-11-28T13:05:07Z",
          "created" : "2026-11-28T13:05:00Z",
          "fingerprint" : "\#(Fingerprint(ofKeyBytes: [7]))",
          "folder" : "/home/ada",
          "id" : "\#(id)",
          "name" : "ben",
          "parcel" : \#(Self.parcel),
          "status" : "running",
          "target" : "b",
          "titles" : [ "disk.img", "disk.img" ],
          "total" : 100,
          "version" : 2
        }

        """#
    }

    @Test("a document becomes a row with all that it had, and is found by its name from then on")
    func document() throws {
        try write(document("k3xq7m2a"), as: "k3xq7m2a.json")
        for _ in 0..<2 {
            let contents = try contents()
            #expect(contents.complaints.isEmpty)
            let record = try #require(contents.transfers.first)
            #expect(contents.transfers.count == 1)
            #expect(record.id.text == "k3xq7m2a" && record.status == .resumable)
            #expect(record.titles == ["disk.img", "disk.img"] && record.target == "b" && record.name == "ben")
            #expect(record.bytes == 10 && record.total == 100 && record.folder == "/home/ada")
            #expect(record.changed.timeIntervalSince(record.created) == 7)
            #expect(record.parcel == (try Parcel(document: Array((Self.parcel + "\n").utf8))))
            #expect(record.parcel?.settled == [0: .stored])
            #expect(try names() == ["k3xq7m2a.lock"])
        }
        let register = TransferRegister(home)
        let (taken, lock) = try register.take(RecordID("k3xq7m2a"))
        #expect(try register.take(likeParcel: #require(taken.parcel)) == nil, "it is held")
        withExtendedLifetime(lock) {}
    }

    @Test("a document of version 1 is read")
    func firstVersion() throws {
        let earlier = document("k3xq7m2a").replacing("\"version\" : 2", with: "\"version\" : 1")
            .replacing("\"members\" : { },", with: "")
        try write(earlier, as: "k3xq7m2a.json")
        #expect(try contents().transfers.first?.parcel?.settled == [0: .stored])
    }

    @Test("the document of a sending that runs in an older process is left until it has ended")
    func running() throws {
        try write(document("k3xq7m2a"), as: "k3xq7m2a.json")
        var lock = try PrivateDirectory(path: root + "/state/transfers").hold("k3xq7m2a.lock")
        #expect(try contents().transfers.isEmpty)
        #expect(try names().contains("k3xq7m2a.json"))
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(try contents().transfers.count == 1)
    }

    @Test("a document that cannot be read stays, and is complained about")
    func unreadable() throws {
        try write(document("good1234"), as: "good1234.json")
        try write(document("good1234"), as: "copied12.json")
        try write(#"{"version":3,"anything":true}"#, as: "newer123.json")
        try write("{", as: "damaged1.json")
        try write(#"{"version":1}"#, as: "damaged2.json")
        try write("", as: "empty123.json")
        try write("no record at all", as: "README.txt")
        try FileManager.default.createSymbolicLink(
            atPath: root + "/state/transfers/link1234.json", withDestinationPath: "/etc/passwd")
        for _ in 0..<2 {
            let contents = try contents()
            #expect(contents.transfers.map(\.id.text) == ["good1234"])
            #expect(contents.complaints.count == 6, "\(contents.complaints)")
            #expect(contents.complaints.contains { $0.contains("newer123") && $0.contains("it has version 3") })
            for complaint in contents.complaints { #expect(DisplayText.isHarmless(complaint)) }
        }
        #expect(try names().filter { $0.hasSuffix(".json") }.count == 6)
    }

    @Test(
        "a document with a parcel that is damaged stays",
        arguments: [
            ("portolan parcel", "portolan pencil"), ("\"path\" : \"/", "\"path\" : \""),
            ("\"settled\" : {", "\"settled\" : { \"7\" : \"stored\","), ("\"version\" : 2\n},", "\"version\" : 3\n},"),
        ])
    func damagedParcel(part: String, instead: String) throws {
        let text = document("k3xq7m2a")
        let changed = text.replacing(part, with: instead)
        try #require(changed != text, "\(text)")
        try write(changed, as: "k3xq7m2a.json")
        let contents = try contents()
        #expect(contents.transfers.isEmpty && contents.complaints.count == 1)
        #expect(try names().contains("k3xq7m2a.json"))
    }

    @Test("a document of an earlier version without a parcel is taken off the list")
    func withoutParcel() throws {
        try write(
            #"""
            {"version":1,"id":"older123","created":"2026-03-09T13:05:00Z","changed":"2026-03-09T13:05:00Z","target":"b",
            "titles":["a"],"arguments":["a","--to","b"],"folder":"/","status":"waiting","bytes":0}
            """#, as: "older123.json")
        let contents = try contents()
        #expect(contents.transfers.isEmpty && contents.complaints.isEmpty)
        #expect(try names().isEmpty)
    }

    @Test("the agent's database of version 0.3 keeps its parcels, outcomes and keys")
    func agentDatabase() throws {
        let folder = try StateFolder(path: root + "/state/agent")
        try withExtendedLifetime(DatabaseQueue(path: folder.database)) { queue in
            chmod(folder.database, 0o600)
            try AgentSchema.migrator(start: 0).migrate(queue, upTo: "retention")
            try queue.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO parcel (id, created, target, titles, state, attempts, changed, document)
                        VALUES (?, 1000, 'b', '["disk.img","disk.img"]', 'failed', 3, 2000, ?);
                        INSERT INTO settlement VALUES (?, ?, 1, 'declined', 'No.', 1500, NULL);
                        INSERT INTO receiver VALUES (?, ?);
                        """,
                    arguments: [
                        Self.id, Data((Self.parcel + "\n").utf8), Self.id, PeerKey([UInt8](repeating: 7, count: 32)),
                        Self.id, Fingerprint(ofKeyBytes: [7]).description,
                    ])
            }
            try queue.close()
        }
        let queue = try folder.connect(now: .now)
        try queue.write { database in
            let outbox = Outbox(database: database, now: .now) { _, _, _, _ in }
            let row = try #require(try outbox.list().first)
            #expect(row.id == Self.id && row.attempts == 3 && row.state == .failed)
            #expect(row.fingerprint == Fingerprint(ofKeyBytes: [7]).description)
            #expect(try outbox.settlements(of: row.id).map(\.reason) == ["No."])
            // An outcome in its document and one in a row.
            #expect(try outbox.parcel(row.id).settled == [0: .stored, 1: .declined])
            try outbox.retry(row.id)
            #expect(try outbox.parcel(row.id).settled == [0: .stored])
        }
    }

    private static let id = StateID(RandomID("00112233445566778899aabbccddeeff") ?? .random())
}
