import PortolanFiles
import PortolanProtocol

extension FileName {
    /// Name for a received item: the sender's, or one made of title and type if the sender gives none.
    ///
    /// - Throws: `FileError` for a name that is refused for files.
    init(
        for representation: OfferedRepresentation, of item: OfferedItem, calling name: [UInt8]
    ) throws(FileError) {
        let proposed = name.isEmpty ? Array((representation.suggestedName ?? "").utf8) : name
        guard proposed.isEmpty else {
            do {
                try self.init(proposed)
            } catch {
                throw FileError(error, name: proposed)
            }
            return
        }
        let fileExtension =
            representation.type.localType?.forFileNames.preferredFilenameExtension
            ?? representation.type.extensions.first
        let title = item.title.isEmpty ? "item" : item.title
        self = .sanitised(fromLocal: Array((title + (fileExtension.map { "." + $0 } ?? "")).utf8))
    }
}

extension FileName {
    /// The name with an extension of a type; nil for a type without extensions.
    func having(extensionOf type: UTType?) -> FileName? {
        guard let type, let ending = type.preferredFilenameExtension, !ending.isEmpty else { return nil }
        // An extension of a more special type would change the type of the file.
        let present = text.lowercased()
        let isRight = type.tags[.filenameExtension]?.contains { present.hasSuffix("." + $0.lowercased()) } ?? false
        return isRight ? self : .sanitised(fromLocal: Array("\(text).\(ending)".utf8))
    }

    /// The name that was accepted with the offer, also for an item that begins under another one. Of an item that was
    /// offered without a name, this name, if it promises no other type.
    func accepted(with offered: OfferedRepresentation) -> FileName {
        if let suggested = offered.suggestedName, !suggested.isEmpty {
            return .sanitised(fromLocal: Array(suggested.utf8))
        }
        guard !offered.isFolder, let type = offered.type.localType else { return self }
        return promising(offered.type, among: [type])
    }

    /// Name of a file that is taken because of its type: it promises no other type.
    ///
    /// - Parameter types: types that are taken. A file of a type without an extension may have any of theirs.
    func promising(_ type: OfferedType, among types: [UTType]) -> FileName {
        if let named = having(extensionOf: type.localType?.forFileNames) { return named }
        let present = NSString(string: text).pathExtension
        guard !present.isEmpty,
            let promised = UTType.types(tag: present, tagClass: .filenameExtension, conformingTo: nil).first,
            !promised.isDynamic, !types.contains(where: promised.conforms)
        else { return self }
        return .sanitised(fromLocal: Array("\(text).data".utf8))
    }
}

extension ItemIdentity {
    /// The identity of a peer's file or folder in this representation, with its type and visibility; nil if the peer
    /// does not name the source.
    init?(of representation: OfferedRepresentation, from peer: RemotePeer) {
        guard representation.channel == .file else { return nil }
        self.init(ofSource: representation, from: peer)
    }

    /// Identity of a peer's source; valid for data, too, of which no partial is kept and whose blocks are not claimed.
    init?(ofSource representation: OfferedRepresentation, from peer: RemotePeer) {
        guard !representation.source.isEmpty else { return nil }
        // Exact texts, since two groups may be displayed alike.
        let lines = [
            Array("portolan/1 source".utf8), Array(peer.fingerprint.description.utf8),
            Array(representation.type.identifier.utf8), RestrictionText.bytes(of: representation.restriction),
            Array(representation.kindOfSource.utf8),
        ]
        self.init(bytes: sha256(lines.map { $0 + [UInt8(ascii: "\n")] } + [representation.source]))
    }
}

extension SenderIdentity {
    /// Identity of a peer for the audience of a representation; nil for content that is not recognised later.
    init?(of representation: OfferedRepresentation, from peer: RemotePeer) {
        guard representation.channel == .file, !representation.source.isEmpty else { return nil }
        let lines = [
            Array("portolan/1 sender".utf8), Array(peer.fingerprint.description.utf8),
            RestrictionText.bytes(of: representation.restriction),
        ]
        self.init(bytes: sha256(lines.map { $0 + [UInt8(ascii: "\n")] }))
    }
}

extension OfferedRepresentation {
    fileprivate var kindOfSource: String {
        switch channel {
        case .data: "data"
        case .file: isFolder ? "folder" : "file"
        }
    }
}
