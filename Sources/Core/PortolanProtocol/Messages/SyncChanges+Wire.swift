import Foundation
import PortolanSyncPlan
import SwiftProtobuf

// Records of files and folders as they travel.

extension Message.SyncChanges {
    init(_ wire: WireSyncChanges) throws(InvalidValue) {
        try InvalidValue.checkCount(wire.records.count, "records in one SyncChanges", maximum: Limits.records)
        try InvalidValue.checkCount(
            wire.replicas.count, "replicas in one SyncChanges", maximum: Limits.replicas)
        let replicas = try wire.replicas.map { replica throws(InvalidValue) in try ReplicaID(replica) }
        let reader = RecordReader(replicas: replicas)
        let records = try wire.records.map { record throws(InvalidValue) in try reader.record(record) }
        let latest = try SyncPosition.of(epoch: wire.epoch, sequence: wire.sequence, seal: wire.seal)
        try InvalidValue.check(
            wire.last == (latest != nil),
            "The last part of changes says the position after them, and no other one does.")
        try InvalidValue.checkCount(wire.contents.count, "contents in one SyncChanges", maximum: Limits.records)
        for content in wire.contents {
            try InvalidValue.check(
                content.count <= Limits.syncContent,
                limit: "Content in changes is small; this has \(content.count) bytes.")
            guard !content.isEmpty else { throw InvalidValue("A content in changes is empty.") }
        }
        try InvalidValue.checkCount(wire.seals.count, "seals in one SyncChanges", maximum: Limits.seals)
        var seals: [DeviceID: ReplicaSeal] = [:]
        for one in wire.seals {
            guard wire.last, let device = DeviceID(Array(one.device)),
                seals.updateValue(try ReplicaSeal(wire: one.seal), forKey: device) == nil
            else { throw InvalidValue("The last part of changes has one seal for each key, and no other one has any.") }
        }
        try InvalidValue.check(wire.last || !records.isEmpty || !wire.contents.isEmpty, "A part of changes is empty.")
        let size = wire.serializedSize
        try InvalidValue.check(
            size <= Limits.recordBytes || records.count + wire.contents.count == 1,
            limit: "Records of one message take at most \(Limits.recordBytes) bytes; these take \(size).")
        self.init(
            question: wire.question, records: records, latest: latest, contents: wire.contents.map { Array($0) },
            seals: seals, size: size)
    }

    var wire: WireSyncChanges {
        var writer = SyncRecordWriter()
        let records = self.records.map { writer.record($0) }
        return .with {
            $0.question = question
            $0.replicas = writer.replicas.map(\.wire)
            $0.records = records
            $0.last = latest != nil
            $0.epoch = latest?.epoch ?? 0
            $0.sequence = latest?.sequence ?? 0
            $0.contents = contents.map { Data($0) }
            $0.seal = latest?.seal?.wire ?? Data()
            $0.seals = seals.sorted { $0.key < $1.key }.map { device, seal in
                .with {
                    $0.device = Data(device.bytes)
                    $0.seal = seal.wire
                }
            }
        }
    }

    /// Returns the number of records, counted from the first, that one message can hold; 1 at least, if there is any.
    ///
    /// - Parameter seals: number of the other devices' seals.
    package static func count(fitting records: some Sequence<NodeRecord>, seals: Int = 0) -> Int {
        var room = Limits.recordBytes - 128 - 96 * seals
        var count = 0
        for record in records.prefix(Limits.records) {
            room -= record.mostBytes
            guard room >= 0 || count == 0 else { break }
            count += 1
        }
        return count
    }
}

extension WireSyncChanges {
    fileprivate var serializedSize: Int { (try? serializedBytes() as [UInt8])?.count ?? .max }
}

// MARK: - Reading

private struct RecordReader {
    let replicas: [ReplicaID]

    func record(_ wire: WireSyncRecord) throws(InvalidValue) -> NodeRecord {
        let limit = NodeRecord.maximumSiblings
        try InvalidValue.check(
            wire.places.count <= limit && wire.versions.count <= limit && wire.life.count <= limit
                && wire.known.count <= NodeRecord.maximumReplicas, limit: "A record says more than one file can have.")
        guard let kind = NodeKind(known: wire.kind) else { throw InvalidValue("A record is of nothing that is known.") }
        var record = NodeRecord(id: NodeID(try dot(wire.id)), kind: kind)
        for place in wire.places { record.places.append(try self.place(place)) }
        for version in wire.versions { record.contents.append(try content(version, kind)) }
        if wire.hasPermissions { record.permissions = try permissions(wire.permissions) }
        for one in wire.life { record.life.append(try dot(one)) }
        var parts: [VersionVector.Part] = []
        for one in wire.known {
            let dot = try dot(one)
            parts.append(VersionVector.Part(replica: dot.replica, counter: dot.counter))
        }
        guard let version = VersionVector(parts: parts) else {
            throw InvalidValue("The versions of a record are not in order.")
        }
        record.version = version
        guard record.isWellFormed else { throw InvalidValue("A record is not of the form that records have.") }
        return record
    }

    private func dot(_ wire: WireSyncDot) throws(InvalidValue) -> Dot {
        try InvalidValue.check(
            replicas.indices.contains(Int(wire.replica)), "A change is by a replica that is not in the list.")
        try InvalidValue.check(
            wire.counter > 0 && wire.counter <= Limits.size, "Changes are counted from 1 to \(Limits.size).")
        return Dot(replicas[Int(wire.replica)], wire.counter)
    }

    private func place(_ wire: WireSyncPlace) throws(InvalidValue) -> StampedValue<NodePlace> {
        try InvalidValue.checkName(Array(wire.name))
        guard let name = String(validating: wire.name, as: UTF8.self) else {
            throw InvalidValue("The name of a file is no text.")
        }
        let parent = wire.hasParent ? NodeID(try dot(wire.parent)) : .root
        return StampedValue(try dot(wire.dot), NodePlace(parent, SyncName(name)))
    }

    private func permissions(_ wire: WireSyncPermissions) throws(InvalidValue) -> RankedValue<UInt16> {
        guard let bits = UInt16(exactly: wire.attributes), bits <= 0o777 else {
            throw InvalidValue("Permissions have nine bits.")
        }
        return RankedValue(try dot(wire.dot), bits, rank: wire.rank)
    }

    private func content(
        _ wire: WireSyncVersion, _ kind: NodeKind
    ) throws(InvalidValue) -> StampedValue<FileVersion> {
        guard let digest = ContentDigest(Array(wire.digest)) else {
            throw InvalidValue("The digest of content has 32 bytes; this one has \(wire.digest.count).")
        }
        try InvalidValue.checkSize(wire.size, "A file")
        guard wire.attributes <= 0o777 else { throw InvalidValue("Permissions have nine bits.") }
        var content = FileVersion(
            // Links have no permissions of their own.
            form: ContentForm(
                digest, attributes: kind == .link ? 0 : UInt64(wire.attributes), extended: try extended(wire.extended)),
            size: wire.size, modified: ModificationTime(wire.modified, wire.nanoseconds), author: wire.author)
        if wire.hasTouch {
            let time = ModificationTime(wire.touch.modified, wire.touch.nanoseconds)
            content.touch = RankedValue(try dot(wire.touch.dot), time, rank: wire.touch.rank)
        }
        content.isDeleted = wire.deleted
        return StampedValue(try dot(wire.dot), content)
    }

    /// Parses the extensions; their order, and that none is there twice, is checked with the record.
    private func extended(_ wire: [WireSyncAttribute]) throws(InvalidValue) -> [ExtendedAttribute] {
        try InvalidValue.checkCount(
            wire.count, "extended attributes of one version", maximum: ExtendedAttribute.maximumCount)
        var attributes: [ExtendedAttribute] = []
        for one in wire {
            guard let name = String(validating: one.name, as: UTF8.self) else {
                throw InvalidValue("The name of an extended attribute is no text.")
            }
            attributes.append(ExtendedAttribute(SyncName(name), Array(one.value)))
        }
        try InvalidValue.check(
            attributes.weight <= ExtendedAttribute.maximumBytes,
            limit: "A version has more than \(ExtendedAttribute.maximumBytes) bytes of extended attributes.")
        return attributes
    }
}

extension ReplicaID {
    fileprivate init(_ wire: WireSyncReplica) throws(InvalidValue) {
        guard let device = DeviceID(Array(wire.device)) else {
            throw InvalidValue("The key of a device has 32 bytes; this one has \(wire.device.count).")
        }
        guard wire.epoch != 0 else { throw InvalidValue("No epoch is 0.") }
        self.init(device: device, epoch: wire.epoch)
    }

    fileprivate var wire: WireSyncReplica {
        .with {
            $0.device = Data(device.bytes)
            $0.epoch = epoch
        }
    }
}

extension NodeKind: WireValue {
    typealias Wire = WireSyncKind
    static let firstNumber = 1
}

// MARK: - Writing

private struct SyncRecordWriter {
    private(set) var replicas: [ReplicaID] = []
    private var numbers: [ReplicaID: UInt32] = [:]

    mutating func record(_ record: NodeRecord) -> WireSyncRecord {
        var wire = WireSyncRecord()
        wire.id = dot(record.id.creation)
        wire.kind = record.kind.wire
        for place in record.places {
            var one = WireSyncPlace()
            one.dot = dot(place.dot)
            if place.value.parent != .root { one.parent = dot(place.value.parent.creation) }
            one.name = Data(place.value.name.text.utf8)
            wire.places.append(one)
        }
        for version in record.contents {
            var one = WireSyncVersion()
            one.dot = dot(version.dot)
            one.digest = Data(version.value.form.digest.bytes)
            one.attributes = UInt32(version.value.form.attributes & 0o777)
            one.size = version.value.size
            one.modified = version.value.modified.seconds
            one.nanoseconds = version.value.modified.nanoseconds
            if let touch = version.value.touch {
                var time = WireSyncTouch()
                time.dot = dot(touch.dot)
                time.modified = touch.value.seconds
                time.nanoseconds = touch.value.nanoseconds
                time.rank = touch.rank
                one.touch = time
            }
            one.author = version.value.author
            one.deleted = version.value.isDeleted
            one.extended = version.value.form.extended.map { attribute in
                .with {
                    $0.name = Data(attribute.name.text.utf8)
                    $0.value = Data(attribute.value)
                }
            }
            wire.versions.append(one)
        }
        wire.life = record.life.map { dot($0) }
        if let permissions = record.permissions {
            var one = WireSyncPermissions()
            one.dot = dot(permissions.dot)
            one.attributes = UInt32(permissions.value)
            one.rank = permissions.rank
            wire.permissions = one
        }
        wire.known = record.version.parts.map { dot(Dot($0.replica, $0.counter)) }
        return wire
    }

    private mutating func dot(_ dot: Dot) -> WireSyncDot {
        let number = numbers[dot.replica] ?? UInt32(replicas.count)
        if number == replicas.count {
            replicas.append(dot.replica)
            numbers[dot.replica] = number
        }
        return .with {
            $0.replica = number
            $0.counter = dot.counter
        }
    }
}
