/// Public key of a device: 32 opaque bytes, compared as a big-endian number.
package struct DeviceID: Hashable, Comparable, Sendable {
    private let key: RawKey

    /// - Returns: nil unless there are 32 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard let key = RawKey(bytes) else { return nil }
        self.key = key
    }

    /// A device of a test: zeros and a number.
    package init(_ number: UInt64) { key = RawKey(number) }

    package static func < (left: Self, right: Self) -> Bool { left.key < right.key }

    /// The bytes as four numbers.
    var words: [UInt64] { key.words }

    /// 32 bytes.
    package var bytes: [UInt8] { key.bytes }
}

/// Life of one database of one device: the only author of the versions that name it.
///
/// A database that is new, went backwards or does not fit its folder gets a new, random epoch.
package struct ReplicaID: Hashable, Comparable, Sendable {
    package var device: DeviceID
    package var epoch: UInt64

    package init(device: DeviceID, epoch: UInt64) {
        self.device = device
        self.epoch = epoch
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.device == right.device ? left.epoch < right.epoch : left.device < right.device
    }
}

/// Identifier of one change by one replica; a replica counts its changes from 1.
package struct Dot: Hashable, Comparable, Sendable {
    package var replica: ReplicaID
    package var counter: UInt64

    package init(_ replica: ReplicaID, _ counter: UInt64) {
        self.replica = replica
        self.counter = counter
    }

    /// The counter is compared first, so that no device wins all conflicts.
    package static func < (left: Self, right: Self) -> Bool {
        left.counter == right.counter ? left.replica < right.replica : left.counter < right.counter
    }
}

/// Identity of a file or folder, kept through renames: the change that created it.
package struct NodeID: Hashable, Comparable, Sendable {
    package var creation: Dot

    package init(_ creation: Dot) { self.creation = creation }

    /// The root folder, which has no record.
    package static let root = NodeID(Dot(ReplicaID(device: DeviceID(0), epoch: 0), 0))

    package static func < (left: Self, right: Self) -> Bool { left.creation < right.creation }
}

/// SHA-256 of content, or any other 32 bytes that are equal only for equal content.
package struct ContentDigest: Hashable, Comparable, Sendable {
    private let key: RawKey

    /// - Returns: nil unless there are 32 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard let key = RawKey(bytes) else { return nil }
        self.key = key
    }

    /// Content of a test.
    package init(_ number: UInt64) { key = RawKey(number) }

    package static func < (left: Self, right: Self) -> Bool { left.key < right.key }

    /// 32 bytes.
    package var bytes: [UInt8] { key.bytes }
}

/// 32 random bytes without an allocation, compared as a big-endian number.
private struct RawKey: Hashable, Comparable {
    let first, second, third, fourth: UInt64

    /// - Returns: nil unless there are 32 bytes.
    init?(_ bytes: some Collection<UInt8>) {
        // Reading the elements of a generic collection one by one takes longer than reading their row in the index.
        guard
            let key = bytes.withContiguousStorageIfAvailable({ RawKey(UnsafeRawBufferPointer($0)) })
                ?? RawKey(Array(bytes))
        else { return nil }
        self = key
    }

    private init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 32 else { return nil }
        func word(_ place: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
        }
        (first, second, third, fourth) = (word(0), word(1), word(2), word(3))
    }

    init(_ number: UInt64) { (first, second, third, fourth) = (0, 0, 0, number) }

    static func < (left: Self, right: Self) -> Bool {
        (left.first, left.second, left.third, left.fourth) < (right.first, right.second, right.third, right.fourth)
    }

    /// Uses a part of the random bytes, which is sufficient for a hash.
    func hash(into hasher: inout Hasher) { hasher.combine(first ^ second ^ third ^ fourth) }

    var words: [UInt64] { [first, second, third, fourth] }

    var bytes: [UInt8] {
        withUnsafeBytes(of: (first.bigEndian, second.bigEndian, third.bigEndian, fourth.bigEndian)) { Array($0) }
    }
}

/// Identity of a file on one disk: inode and generation, never reused.
package struct FileHandleID: Hashable, Comparable, Sendable {
    package var number: UInt64
    package var generation: UInt64

    package init(_ number: UInt64, generation: UInt64 = 0) {
        self.number = number
        self.generation = generation
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.number, left.generation) < (right.number, right.generation)
    }
}
