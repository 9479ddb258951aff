import Glibc

/// Encoding of a held source for a later process, so that a shared item stays the same file or folder across a restart.
extension HeldSource: Codable {
    private enum Key: String, CodingKey {
        case path
        case resolved
        case folder
        case owner
        case device
        case inode
        case parentDevice = "parent-device"
        case parentInode = "parent-inode"
        case parentBirth = "parent-birth"
        case mode
        case generation
        case birth
    }

    /// Absolute path without links and dots; nil for a path that is not text, which cannot be encoded.
    package var resolvedPath: String? {
        String(validating: resolved.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// - Throws: `DecodingError`, also for a path that is not absolute.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func path(_ key: Key) throws -> String {
            let path = try container.decode(String.self, forKey: key)
            guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "It is not absolute.")
            }
            return path
        }
        self.path = try path(.path)
        resolved = try path(.resolved).utf8.map { CChar(bitPattern: $0) } + [0]
        isFolder = try container.decode(Bool.self, forKey: .folder)
        owner = try container.decode(uid_t.self, forKey: .owner)
        identity = FileIdentity(
            device: try container.decode(UInt64.self, forKey: .device),
            inode: try container.decode(UInt64.self, forKey: .inode))
        parent = FileIdentity(
            device: try container.decode(UInt64.self, forKey: .parentDevice),
            inode: try container.decode(UInt64.self, forKey: .parentInode))
        // Earlier versions did not note the rest.
        parentBirth = try container.decodeIfPresent(Int64.self, forKey: .parentBirth)
        mode = try container.decodeIfPresent(UInt16.self, forKey: .mode)
        generation = try container.decodeIfPresent(UInt64.self, forKey: .generation)
        birth = try container.decodeIfPresent(Int64.self, forKey: .birth)
    }

    /// - Throws: `EncodingError` for a path that is relative or no text.
    package func encode(to encoder: any Encoder) throws {
        guard let resolvedPath, path.utf8.first == UInt8(ascii: "/") else {
            throw EncodingError.invalidValue(
                path, .init(codingPath: encoder.codingPath, debugDescription: "The path is relative or no text."))
        }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(path, forKey: .path)
        try container.encode(resolvedPath, forKey: .resolved)
        try container.encode(isFolder, forKey: .folder)
        try container.encode(owner, forKey: .owner)
        try container.encode(identity.device, forKey: .device)
        try container.encode(identity.inode, forKey: .inode)
        try container.encode(parent.device, forKey: .parentDevice)
        try container.encode(parent.inode, forKey: .parentInode)
        try container.encodeIfPresent(parentBirth, forKey: .parentBirth)
        try container.encodeIfPresent(mode, forKey: .mode)
        try container.encodeIfPresent(generation, forKey: .generation)
        try container.encodeIfPresent(birth, forKey: .birth)
    }
}

extension HeldSource {
    /// Returns the source with the present number of its file system, which may differ after each start of the machine
    /// or the container. May block.
    ///
    /// The path, the folder and the file must be the same except for that number. An attacker would need the right to
    /// mount a file system with a folder and a file of the same numbers, and would not gain access to files that only
    /// this user may read.
    package func renumbered() -> HeldSource {
        guard let now = try? HeldSource(path: path), now.resolved == resolved, now.parent.inode == parent.inode else {
            return self
        }
        var held = self
        held.parent = now.parent
        held.identity = FileIdentity(device: now.identity.device, inode: identity.inode)
        return held
    }
}
