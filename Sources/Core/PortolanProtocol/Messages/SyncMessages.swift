import Foundation
import PortolanSyncPlan
import SwiftProtobuf

// Messages about folders that are kept alike (SYNC.md, 7).

extension Message {
    /// All folders that the sender shares with the receiver. A later one replaces an earlier one.
    package struct SyncFolders: Hashable, Sendable {
        package struct Folder: Hashable, Sendable {
            package let id: SyncFolderID
            /// The sender's name of it. At most ``Limits/name`` bytes; shown through `DisplayText`.
            package let name: String
            /// The sender's latest change; nil where it has no copy yet.
            package let latest: SyncPosition?
            /// The receiver's change up to which the sender has worked everything off.
            package let taken: SyncPosition?
            /// Differences that remain at the sender. At most ``Limits/lacks``.
            package var lacks: [MemberLack]
            /// Stop of the sender, which stands still; it has no latest change then.
            package let stop: SyncStop?
            /// Newest stop of the receiver's key that the sender knows.
            package let heardStop: HeardStop?

            package init(
                id: SyncFolderID, name: String, latest: SyncPosition?, taken: SyncPosition?, lacks: [MemberLack] = [],
                stop: SyncStop? = nil, heardStop: HeardStop? = nil
            ) throws(InvalidValue) {
                try InvalidValue.check(stop == nil || latest == nil, "A folder that stands still has a latest change.")
                self.stop = stop
                self.heardStop = heardStop
                try InvalidValue.checkText(name, "The name of a folder", maximum: Limits.name)
                guard !name.isEmpty else { throw InvalidValue("The name of a folder cannot be empty.") }
                try InvalidValue.checkCount(lacks.count, "lacks of one folder", maximum: Limits.lacks.ofFolder)
                self.lacks = lacks
                self.id = id
                self.name = name
                self.latest = latest
                self.taken = taken
            }
        }

        /// At most ``Limits/folders``, and none twice, with at most ``Limits/lacks`` together.
        package let folders: [Folder]

        package init(_ folders: [Folder]) throws(InvalidValue) {
            try InvalidValue.checkCount(folders.count, "folders in one SyncFolders", maximum: Limits.folders)
            try InvalidValue.check(
                Set(folders.map(\.id)).count == folders.count, "A SyncFolders names one folder twice.")
            let lacks = folders.reduce(0) { $0 + $1.lacks.count }
            try InvalidValue.checkCount(lacks, "lacks in one SyncFolders", maximum: Limits.lacks.all)
            self.folders = folders
        }
    }

    /// Asks for the changes of a folder after a position of the receiver.
    package struct SyncSince: Hashable, Sendable {
        package let question: UInt64
        package let folder: SyncFolderID
        /// Nil for all changes.
        package let position: SyncPosition?
        /// Small contents that may come with the changes.
        package let contents: Contents

        package enum Contents: Hashable, Sendable {
            case none
            /// Records that the asked device wrote.
            case own
            case all
        }

        package init(
            question: UInt64, folder: SyncFolderID, position: SyncPosition?, contents: Contents = .none
        ) {
            self.question = question
            self.folder = folder
            self.position = position
            self.contents = contents
        }
    }

    /// Part of the changes.
    package struct SyncChanges: Hashable, Sendable {
        package let question: UInt64
        /// At most ``Limits/records``, each well-formed.
        package let records: [NodeRecord]
        /// The position after all parts; nil where another part follows.
        package let latest: SyncPosition?
        /// At most ``Limits/records``, each of 1 to ``Limits/syncContent`` bytes.
        package let contents: [[UInt8]]
        /// Newest known seals of other devices, in the last part; at most ``Limits/seals``.
        package let seals: [DeviceID: ReplicaSeal]
        /// Bytes that all of it takes on the wire, as far as is known.
        package let size: Int

        package init(
            question: UInt64, records: [NodeRecord], latest: SyncPosition?, contents: [[UInt8]] = [],
            seals: [DeviceID: ReplicaSeal] = [:], size: Int = 0
        ) {
            precondition(seals.count <= Limits.seals, "At most 256 seals are in one message")
            self.seals = seals
            precondition(records.count <= Limits.records, "At most 256 records are in one message")
            precondition(contents.count <= Limits.records, "At most 256 contents are in one message")
            self.contents = contents
            self.question = question
            self.records = records
            self.latest = latest
            self.size = size
        }

        package static func == (left: Self, right: Self) -> Bool {
            left.question == right.question && left.records == right.records && left.latest == right.latest
                && left.contents == right.contents && left.seals == right.seals
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(question) }
    }

    /// All changes of the receiver up to a position have been merged.
    package struct SyncHeard: Hashable, Sendable {
        package let folder: SyncFolderID
        package let position: SyncPosition

        package init(folder: SyncFolderID, position: SyncPosition) {
            self.folder = folder
            self.position = position
        }
    }

    /// Asks for whole contents of a folder. An Offer that names the request answers it, or a Refusal.
    package struct SyncWant: Hashable, Sendable {
        package struct Content: Hashable, Sendable {
            package let digest: ContentDigest
            /// In bytes; 1 to ``Limits/size``.
            package let size: UInt64

            package init(_ digest: ContentDigest, size: UInt64) {
                precondition(1...Limits.size ~= size, "An empty content is wanted from nobody")
                self.digest = digest
                self.size = size
            }
        }

        /// Number among the sender's lists and requests.
        package let id: UInt64
        package let folder: SyncFolderID
        /// 1 to ``Limits/wanted``, no digest twice.
        package let contents: [Content]

        package init(id: UInt64, folder: SyncFolderID, contents: [Content]) {
            precondition(1...Limits.wanted ~= contents.count, "A SyncWant has 1 to 1,024 contents")
            self.id = id
            self.folder = folder
            self.contents = contents
        }
    }

    /// The records do not exist, or are not for the receiver: one answer for both.
    package struct SyncRefusal: Hashable, Sendable {
        package let question: UInt64

        package init(question: UInt64) { self.question = question }
    }
}

// MARK: - Wire

extension Message.SyncFolders {
    init(_ wire: WireSyncFolders) throws(InvalidValue) {
        try InvalidValue.checkCount(wire.folders.count, "folders in one SyncFolders", maximum: Limits.folders)
        var folders: [Folder] = []
        for folder in wire.folders {
            folders.append(
                try Folder(
                    id: try SyncFolderID(wire: folder.id), name: folder.name,
                    latest: try .of(epoch: folder.epoch, sequence: folder.sequence),
                    taken: try .of(
                        epoch: folder.takenEpoch, sequence: folder.takenSequence, seal: folder.takenSeal),
                    lacks: try MemberLack.all(folder.lacks), stop: try .of(folder), heardStop: try .of(folder)))
        }
        try self.init(folders)
    }

    var wire: WireSyncFolders {
        .with {
            $0.folders = folders.map { folder in
                .with {
                    $0.id = folder.id.wire
                    $0.name = folder.name
                    $0.epoch = folder.latest?.epoch ?? 0
                    $0.sequence = folder.latest?.sequence ?? 0
                    $0.takenEpoch = folder.taken?.epoch ?? 0
                    $0.takenSequence = folder.taken?.sequence ?? 0
                    $0.takenSeal = folder.taken?.seal?.wire ?? Data()
                    $0.lacks = folder.lacks.map(\.wire)
                    $0.stop = folder.stop?.seal.wire ?? Data()
                    $0.host = folder.stop?.host ?? ""
                    $0.heardStop = folder.heardStop?.seal.wire ?? Data()
                    $0.machines = folder.heardStop?.wire ?? []
                }
            }
        }
    }
}

extension Message.SyncSince {
    init(_ wire: WireSyncSince) throws(InvalidValue) {
        self.init(
            question: wire.question, folder: try SyncFolderID(wire: wire.folder),
            position: try .of(epoch: wire.epoch, sequence: wire.sequence, seal: wire.seal),
            contents: try Contents(wire.contents))
    }

    var wire: WireSyncSince {
        .with {
            $0.question = question
            $0.folder = folder.wire
            $0.epoch = position?.epoch ?? 0
            $0.sequence = position?.sequence ?? 0
            $0.seal = position?.seal?.wire ?? Data()
            $0.contents = contents.wire
        }
    }
}

extension Message.SyncSince.Contents {
    fileprivate init(_ wire: WireSyncContents) throws(InvalidValue) {
        switch wire {
        case .unspecified: self = .none
        case .own: self = .own
        case .all: self = .all
        case .UNRECOGNIZED(let number):
            throw InvalidValue("A SyncSince asks for contents by the number \(number), which is unknown.")
        }
    }

    fileprivate var wire: WireSyncContents {
        switch self {
        case .none: .unspecified
        case .own: .own
        case .all: .all
        }
    }
}

extension Message.SyncHeard {
    init(_ wire: WireSyncHeard) throws(InvalidValue) {
        guard let position = try SyncPosition.of(epoch: wire.epoch, sequence: wire.sequence, seal: wire.seal) else {
            throw InvalidValue("A SyncHeard names no position.")
        }
        self.init(folder: try SyncFolderID(wire: wire.folder), position: position)
    }

    var wire: WireSyncHeard {
        .with {
            $0.folder = folder.wire
            $0.epoch = position.epoch
            $0.sequence = position.sequence
            $0.seal = position.seal?.wire ?? Data()
        }
    }
}

extension Message.SyncWant {
    init(_ wire: WireSyncWant) throws(InvalidValue) {
        try InvalidValue.checkCount(wire.contents.count, "contents in one SyncWant", maximum: Limits.wanted)
        var contents: [Content] = []
        for content in wire.contents {
            guard let digest = ContentDigest(Array(content.digest)) else {
                throw InvalidValue("The digest of content has 32 bytes; this one has \(content.digest.count).")
            }
            try InvalidValue.checkSize(content.size, "A content")
            guard content.size > 0 else { throw InvalidValue("An empty content is wanted.") }
            contents.append(Content(digest, size: content.size))
        }
        guard !contents.isEmpty else { throw InvalidValue("A SyncWant asks for nothing.") }
        try InvalidValue.check(
            Set(contents.map(\.digest)).count == contents.count, "A SyncWant asks for one content twice.")
        self.init(id: wire.requestID, folder: try SyncFolderID(wire: wire.folder), contents: contents)
    }

    var wire: WireSyncWant {
        .with {
            $0.requestID = id
            $0.folder = folder.wire
            $0.contents = contents.map { content in
                .with {
                    $0.digest = Data(content.digest.bytes)
                    $0.size = content.size
                }
            }
        }
    }
}

extension Message.SyncRefusal {
    var wire: WireSyncRefusal { .with { $0.question = question } }
}
