import PortolanSyncPlan

/// Records of the model's vectors, by three replicas.
enum SyncPlanCases {
    static let (ada, ben, cem) = (replica(0x30), replica(0x40), replica(0x50))

    static func replica(_ label: UInt8) -> ReplicaID {
        guard let device = DeviceID(fixedBytes(label)) else { fatalError("32 bytes") }
        return ReplicaID(device: device, epoch: UInt64(label))
    }

    /// Content of a file or link, told apart by one byte.
    static func content(_ label: UInt8) -> FileVersion {
        guard let digest = ContentDigest(fixedBytes(label)) else { fatalError("32 bytes") }
        return FileVersion(
            form: ContentForm(digest, attributes: 0o644), size: UInt64(label),
            modified: ModificationTime(1_700_000_000), author: "Ada")
    }

    static func node(
        _ kind: NodeKind, _ creation: Dot, _ name: String, in parent: NodeRecord? = nil, _ label: UInt8? = nil
    ) -> NodeRecord {
        var record = NodeRecord(id: NodeID(creation), kind: kind)
        record.move(creation, to: NodePlace(parent?.id ?? .root, SyncName(name)))
        if let label { record.write(creation, content(label), replacing: []) }
        return record
    }

    static func folder(_ creation: Dot, _ name: String, in parent: NodeRecord? = nil) -> NodeRecord {
        node(.folder, creation, name, in: parent)
    }

    static func file(_ creation: Dot, _ name: String, in parent: NodeRecord? = nil, _ label: UInt8) -> NodeRecord {
        node(.file, creation, name, in: parent, label)
    }
}

extension NodeRecord {
    /// Returns the record after a change.
    func after(_ change: (inout NodeRecord) -> Void) -> NodeRecord {
        var record = self
        change(&record)
        return record
    }

    /// Returns the record with the changes that another one knows.
    func knowing(_ dots: Dot...) -> NodeRecord {
        after { record in for dot in dots { record.version.add(dot) } }
    }
}
