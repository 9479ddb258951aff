import Foundation
import PortolanProtocol
import PortolanSyncPlan
import PortolanTrust
import TestSupport

// Conversions between a message about folders and its meaning in a vector.

extension Message {
    init?(sync meaning: VectorObject) throws {
        if let folders = try meaning.optional("sync_folders") {
            self = .syncFolders(
                try SyncFolders(
                    folders.objects("folders").map {
                        try SyncFolders.Folder(
                            id: SyncFolderID(meaning: $0, "id"), name: $0.text("name"),
                            latest: .of(epoch: $0.long("epoch"), sequence: $0.long("sequence")),
                            taken: .of(
                                epoch: $0.long("taken_epoch"), sequence: $0.long("taken_sequence"),
                                seal: $0.seal("taken_seal")),
                            lacks: $0.lacks(), stop: $0.stop(), heardStop: $0.heardStop())
                    }))
        } else if let since = try meaning.optional("sync_since") {
            self = .syncSince(
                SyncSince(
                    question: try since.long("question"), folder: try SyncFolderID(meaning: since, "folder"),
                    position: try .of(
                        epoch: since.long("epoch"), sequence: since.long("sequence"), seal: since.seal("seal")),
                    contents: try SyncSince.Contents(meaning: since)))
        } else if let changes = try meaning.optional("sync_changes") {
            self = .syncChanges(
                SyncChanges(
                    question: try changes.long("question"),
                    records: try changes.objects("records").map { try NodeRecord(meaning: $0) },
                    latest: try .of(
                        epoch: changes.long("epoch"), sequence: changes.long("sequence"), seal: changes.seal("seal")),
                    contents: try changes.contents(), seals: try changes.seals()))
        } else if let heard = try meaning.optional("sync_heard") {
            self = .syncHeard(
                SyncHeard(
                    folder: try SyncFolderID(meaning: heard, "folder"),
                    position: SyncPosition(
                        epoch: try heard.long("epoch"), sequence: try heard.long("sequence"),
                        seal: try heard.seal("seal"))))
        } else if let want = try meaning.optional("sync_want") {
            self = .syncWant(
                SyncWant(
                    id: try want.long("request"), folder: try SyncFolderID(meaning: want, "folder"),
                    contents: try want.objects("contents").map {
                        SyncWant.Content(try ContentDigest(meaning: $0), size: try $0.long("size"))
                    }))
        } else if let refusal = try meaning.optional("sync_refusal") {
            self = .syncRefusal(SyncRefusal(question: try refusal.long("question")))
        } else if let statement = try meaning.optional("sync_statement") {
            self = .syncStatement(
                SignedFolderStatement(
                    own: try statement.signed("statement", "signature"),
                    grant: statement.has("grant") ? try statement.signed("grant", "grant_signature") : nil))
        } else {
            return nil
        }
    }
}

extension VectorObject {
    fileprivate func signed(_ bytes: String, _ signature: String) throws -> SignedFolderStatement.Signed {
        .init(bytes: Data(try self.bytes(bytes)), signature: Data(try self.bytes(signature)))
    }

    fileprivate func contents() throws -> [[UInt8]] {
        has("contents") ? try texts("contents").map { try [UInt8](hex: $0) } : []
    }

    fileprivate func lacks() throws -> [MemberLack] {
        guard has("lacks") else { return [] }
        return try objects("lacks").map { lack in
            guard let reason = MemberLack.Reason(rawValue: UInt8(clamping: try lack.number("reason"))) else {
                throw VectorError("\(path): no reason")
            }
            return MemberLack(
                reason, try lack.objects("nodes").map { NodeID(try Dot(meaning: $0)) }, count: try lack.number("count"),
                mark: lack.has("mark") ? try lack.bytes("mark") : [])
        }
    }

    fileprivate func stop() throws -> SyncStop? {
        try seal("stop").map { try SyncStop($0, host: try text("host")) }
    }

    fileprivate func heardStop() throws -> HeardStop? {
        try seal("heard_stop").map { seal in
            try HeardStop(
                seal,
                try objects("machines").map {
                    try HeardStop.Machine(host: $0.text("host"), address: $0.text("address"), seen: $0.long("seen"))
                })
        }
    }

    fileprivate func seal(_ key: String) throws -> ReplicaSeal? {
        guard has(key) else { return nil }
        guard let seal = ReplicaSeal(try bytes(key)) else { throw VectorError("\(path): no seal") }
        return seal
    }

    fileprivate func seals() throws -> [DeviceID: ReplicaSeal] {
        var seals: [DeviceID: ReplicaSeal] = [:]
        for one in has("seals") ? try objects("seals") : [] {
            guard let device = DeviceID(try one.bytes("device")) else { throw VectorError("\(path): no key") }
            seals[device] = try one.seal("seal")
        }
        return seals
    }
}

extension SyncPosition {
    fileprivate static func of(epoch: UInt64, sequence: UInt64, seal: ReplicaSeal? = nil) -> SyncPosition? {
        epoch == 0 ? nil : SyncPosition(epoch: epoch, sequence: sequence, seal: seal)
    }
}

extension Message.SyncSince.Contents {
    fileprivate init(meaning: VectorObject) throws {
        guard meaning.has("contents") else {
            self = .none
            return
        }
        switch try meaning.text("contents") {
        case "own": self = .own
        case "all": self = .all
        default: throw VectorError("\(meaning.path): no such contents")
        }
    }
}

extension SyncFolderID {
    fileprivate init(meaning: VectorObject, _ key: String) throws {
        guard let id = SyncFolderID(try meaning.bytes(key)) else { throw VectorError("\(meaning.path): no folder") }
        self = id
    }
}

extension ContentDigest {
    fileprivate init(meaning: VectorObject) throws {
        guard let digest = ContentDigest(try meaning.bytes("digest")) else {
            throw VectorError("\(meaning.path): no digest")
        }
        self = digest
    }
}

extension Dot {
    init(meaning: VectorObject) throws {
        guard let device = DeviceID(try meaning.bytes("device")) else { throw VectorError("\(meaning.path): no key") }
        self.init(ReplicaID(device: device, epoch: try meaning.long("epoch")), try meaning.long("counter"))
    }
}

extension ModificationTime {
    init(meaning: VectorObject) throws {
        guard let seconds = Int64(try meaning.text("modified")) else { throw VectorError("\(meaning.path): no time") }
        self.init(seconds, meaning.has("nanoseconds") ? UInt32(try meaning.number("nanoseconds")) : 0)
    }
}

/// Rank of a touch or of permissions.
private func rank(of meaning: VectorObject) throws -> UInt32 {
    meaning.has("rank") ? UInt32(try meaning.number("rank")) : 0
}

extension NodePlace {
    init(meaning: VectorObject) throws {
        let parent = try meaning.optional("parent").map { NodeID(try Dot(meaning: $0)) } ?? .root
        self.init(parent, SyncName(String(decoding: try meaning.bytes("name"), as: UTF8.self)))
    }
}

extension FileVersion {
    init(meaning: VectorObject) throws {
        var form = ContentForm(
            try ContentDigest(meaning: meaning), attributes: UInt64(try meaning.number("attributes")))
        if meaning.has("extended") {
            form.extended = try meaning.objects("extended").map { one in
                let name = String(decoding: try one.bytes("name"), as: UTF8.self)
                return ExtendedAttribute(SyncName(name), try one.bytes("value"))
            }
        }
        self.init(
            form: form, size: try meaning.long("size"), modified: try ModificationTime(meaning: meaning),
            author: try meaning.text("author"))
        isDeleted = try meaning.flag("deleted")
        touch = try meaning.optional("touch").map {
            try RankedValue(Dot(meaning: $0.object("dot")), ModificationTime(meaning: $0), rank: rank(of: $0))
        }
    }
}

extension NodeRecord {
    init(meaning: VectorObject) throws {
        let kinds: [String: NodeKind] = ["folder": .folder, "file": .file, "link": .link]
        guard let kind = kinds[try meaning.text("kind")] else { throw VectorError("\(meaning.path): no kind") }
        self.init(id: NodeID(try Dot(meaning: meaning.object("id"))), kind: kind)
        for place in try meaning.objects("places") {
            places.append(StampedValue(try Dot(meaning: place.object("dot")), try NodePlace(meaning: place)))
        }
        for version in try meaning.objects("versions") {
            contents.append(StampedValue(try Dot(meaning: version.object("dot")), try FileVersion(meaning: version)))
        }
        life = try meaning.objects("life").map { try Dot(meaning: $0) }
        if let one = try meaning.optional("permissions") {
            permissions = RankedValue(
                try Dot(meaning: one.object("dot")), UInt16(try one.number("attributes")),
                rank: try rank(of: one))
        }
        for one in try meaning.objects("known") { version.add(try Dot(meaning: one)) }
    }
}
