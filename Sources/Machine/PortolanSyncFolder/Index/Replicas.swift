import PortolanSyncPlan

/// Table of short numbers for replicas, used in blobs of the index.
struct Replicas {
    private var all: [ReplicaID] = []
    private var numbers: [ReplicaID: Int] = [:]

    /// Replicas with numbers that were assigned since the last call.
    private var new: [(Int, ReplicaID)] = []

    /// - Parameter stored: replicas in the order of their numbers.
    init(_ stored: [ReplicaID]) {
        all = stored
        for (number, replica) in stored.enumerated() { numbers[replica] = number }
    }

    mutating func takeNew() -> [(Int, ReplicaID)] {
        exchange(&new, with: [])
    }

    mutating func number(of replica: ReplicaID) -> Int {
        if let number = numbers[replica] { return number }
        numbers[replica] = all.count
        new.append((all.count, replica))
        all.append(replica)
        return all.count - 1
    }

    var devices: Set<DeviceID> { Set(all.map(\.device)) }

    /// Numbers of the replicas of a device.
    func numbers(of device: DeviceID) -> [Int] { all.indices.filter { all[$0].device == device } }

    func knownNumber(of replica: ReplicaID) -> Int? { numbers[replica] }

    func replica(_ number: UInt64) throws(SyncError) -> ReplicaID {
        guard number < UInt64(all.count) else { throw SyncError.damagedIndex }
        return all[Int(number)]
    }
}

// MARK: - Dots and nodes

extension Replicas {
    mutating func add(_ dot: Dot, to writer: inout ByteWriter) {
        writer.add(UInt64(number(of: dot.replica)))
        writer.add(dot.counter)
    }

    func dot(_ reader: inout ByteReader) throws(SyncError) -> Dot {
        let replica = try replica(try reader.number())
        return Dot(replica, try reader.number())
    }

    /// Returns the key of a node in the tables.
    mutating func key(_ node: NodeID) -> [UInt8] {
        var writer = ByteWriter()
        add(node.creation, to: &writer)
        return writer.bytes
    }

    func node(_ key: [UInt8]) throws(SyncError) -> NodeID {
        var reader = ByteReader(key)
        return NodeID(try dot(&reader))
    }
}

// MARK: - Records

/// Bits of the number at the end of a version in a record, behind which extended attributes,
/// nanoseconds and another time with its rank may follow.
private enum ContentFlags {
    static let deleted: UInt64 = 1
    static let extended: UInt64 = 2
    static let nanoseconds: UInt64 = 4
    static let touch: UInt64 = 8
    /// Behind the touch stands its rank.
    static let rank: UInt64 = 16
}

extension Replicas {
    mutating func blob(_ record: NodeRecord) -> [UInt8] {
        var writer = ByteWriter()
        writer.add(UInt64(record.kind.rawValue))
        writer.add(UInt64(record.places.count))
        for place in record.places {
            add(place.dot, to: &writer)
            add(place.value.parent.creation, to: &writer)
            writer.add(text: place.value.name.text)
        }
        writer.add(UInt64(record.contents.count))
        for content in record.contents {
            add(content.dot, to: &writer)
            let value = content.value
            writer.add(raw: value.form.digest.bytes)
            writer.add(value.form.attributes)
            writer.add(value.size)
            writer.add(signed: value.modified.seconds)
            writer.add(text: value.author)
            let extended = value.form.extended
            let nanoseconds = value.modified.nanoseconds
            var flags = (value.isDeleted ? ContentFlags.deleted : 0) | (extended.isEmpty ? 0 : ContentFlags.extended)
            if nanoseconds != 0 { flags |= ContentFlags.nanoseconds }
            if let touch = value.touch { flags |= ContentFlags.touch | (touch.rank == 0 ? 0 : ContentFlags.rank) }
            writer.add(flags)
            if !extended.isEmpty { writer.add(extended) }
            if nanoseconds != 0 { writer.add(UInt64(nanoseconds)) }
            if let touch = value.touch {
                add(touch.dot, to: &writer)
                writer.add(signed: touch.value.seconds)
                writer.add(UInt64(touch.value.nanoseconds))
                if touch.rank != 0 { writer.add(UInt64(touch.rank)) }
            }
        }
        writer.add(UInt64(record.life.count))
        for dot in record.life { add(dot, to: &writer) }
        writer.add(UInt64(record.version.parts.count))
        for part in record.version.parts { add(Dot(part.replica, part.counter), to: &writer) }
        if let permissions = record.permissions {
            add(permissions.dot, to: &writer)
            writer.add(UInt64(permissions.value))
            if permissions.rank != 0 { writer.add(UInt64(permissions.rank)) }
        }
        return writer.bytes
    }

    func record(_ node: NodeID, _ blob: [UInt8]) throws(SyncError) -> NodeRecord {
        var reader = ByteReader(blob)
        guard let kind = NodeKind(rawValue: UInt8(truncatingIfNeeded: try reader.number())) else {
            throw SyncError.damagedIndex
        }
        var record = NodeRecord(id: node, kind: kind)
        for _ in 0..<(try reader.count()) {
            let dot = try dot(&reader)
            let parent = NodeID(try self.dot(&reader))
            record.places.append(StampedValue(dot, NodePlace(parent, SyncName(try reader.text()))))
        }
        for _ in 0..<(try reader.count()) {
            let dot = try dot(&reader)
            record.contents.append(StampedValue(dot, try content(&reader)))
        }
        for _ in 0..<(try reader.count()) { record.life.append(try dot(&reader)) }
        for _ in 0..<(try reader.count()) { record.version.add(try dot(&reader)) }
        // Records of earlier versions of the program end here.
        if !reader.isAtEnd {
            let dot = try dot(&reader)
            let bits = UInt16(truncatingIfNeeded: try reader.number())
            record.permissions = RankedValue(dot, bits, rank: reader.isAtEnd ? 0 : try rank(&reader))
        }
        return record
    }

    private func content(_ reader: inout ByteReader) throws(SyncError) -> FileVersion {
        guard let digest = ContentDigest(try reader.raw(32)) else { throw SyncError.damagedIndex }
        let form = ContentForm(digest, attributes: try reader.number())
        let size = try reader.number()
        let modified = ModificationTime(try reader.signed())
        var content = FileVersion(form: form, size: size, modified: modified, author: try reader.text())
        let flags = try reader.number()
        content.isDeleted = flags & ContentFlags.deleted != 0
        if flags & ContentFlags.extended != 0 { content.form.extended = try reader.attributes() }
        if flags & ContentFlags.nanoseconds != 0 { content.modified.nanoseconds = try nanoseconds(&reader) }
        if flags & ContentFlags.touch != 0 {
            let dot = try dot(&reader)
            let time = ModificationTime(try reader.signed(), try nanoseconds(&reader))
            content.touch = RankedValue(dot, time, rank: flags & ContentFlags.rank == 0 ? 0 : try rank(&reader))
        }
        return content
    }

    private func nanoseconds(_ reader: inout ByteReader) throws(SyncError) -> UInt32 {
        UInt32(truncatingIfNeeded: try reader.number())
    }

    private func rank(_ reader: inout ByteReader) throws(SyncError) -> UInt32 {
        UInt32(truncatingIfNeeded: try reader.number())
    }

    // MARK: Entries

    mutating func blob(_ seen: [SeenVersions]) -> [UInt8] {
        var writer = ByteWriter()
        writer.add(UInt64(seen.count))
        for seen in seen {
            add(seen.node.creation, to: &writer)
            writer.add(UInt64(seen.writes.count))
            for dot in seen.writes { add(dot, to: &writer) }
        }
        return writer.bytes
    }

    func seen(_ blob: [UInt8]) throws(SyncError) -> [SeenVersions] {
        var reader = ByteReader(blob)
        var all: [SeenVersions] = []
        for _ in 0..<(try reader.count()) {
            var seen = SeenVersions(NodeID(try dot(&reader)))
            for _ in 0..<(try reader.count()) { seen.writes.append(try dot(&reader)) }
            all.append(seen)
        }
        return all
    }
}
