extension TypeRegistry {
    /// Resolves a tag that no declared type claims: returns the declared types of its MIME type, or else a dynamic type
    /// that conforms to the types of which the MIME type is a special form. Empty if shared-mime-info does not know the
    /// tag, or its type does not conform to `supertype`.
    func resolvedBySharedMIMEInfo(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        switch tagClass {
        case .filenameExtension:
            let types = sharedMIMEInfo.types(ofExtension: tag)
            return resolved(types, filenameExtension: tag.lowercased(), conformingTo: supertype)
        case .mimeType:
            return resolved(sharedMIMEInfo.knows(tag) ? [tag] : [], filenameExtension: nil, conformingTo: supertype)
        default:
            return []
        }
    }

    /// Returns the types of files with exactly this name, such as `Makefile`.
    func types(ofFileNamed name: String) -> [UTType] {
        resolved(sharedMIMEInfo.types(ofFileNamed: name), filenameExtension: nil, conformingTo: .data)
    }

    /// Returns true if files of a type have exactly this name: the name is known as that type's, or shares an extension
    /// with it.
    func isWholeName(_ name: String, of type: UTType) -> Bool {
        let claimed = tags(of: type)[.filenameExtension] ?? []
        return sharedMIMEInfo.types(ofFileNamed: name).contains { mimeType in
            sharedMIMEInfo.extensions(of: mimeType).contains(where: claimed.contains)
        } || types(ofFileNamed: name).contains { conforms($0, to: type) }
    }

    private func resolved(_ mimeTypes: [String], filenameExtension: String?, conformingTo supertype: UTType?)
        -> [UTType]
    {
        var declared: [UTType] = []
        for type in mimeTypes.flatMap(declaredTypes(ofMIMEType:)) where !declared.contains(type) {
            if supertype.map({ conforms(type, to: $0) }) ?? true { declared.append(type) }
        }
        if !declared.isEmpty { return declared }
        for mimeType in mimeTypes {
            let parents = supertypes(ofMIMEType: mimeType)
            if let supertype, !parents.contains(where: { conforms($0, to: supertype) }) { continue }
            let name = sharedMIMEInfo.canonicalName(of: mimeType)
            let first = sharedMIMEInfo.extensions(of: name).first
            var type = dynamicType(name, filenameExtension: first, conformingTo: parents)
            if let kind = type, let filenameExtension, filenameExtension != first {
                // The type is a kind of the MIME type itself, whose name then means files of all its extensions.
                type = dynamicType(name, filenameExtension: filenameExtension, conformingTo: [kind])
            }
            if let type { return [type] }
        }
        return []
    }

    private func dynamicType(
        _ mimeType: String, filenameExtension: String?, conformingTo supertypes: [UTType]
    ) -> UTType? {
        var tags: [UTTagClass: [String]] = [.mimeType: [mimeType]]
        if let filenameExtension { tags[.filenameExtension] = [filenameExtension] }
        return DynamicIdentifier(supertypes: supertypes.map(\.identifier), tags: tags).type
    }

    /// Returns true if a declaration or shared-mime-info says what a type is.
    func isKnown(_ type: UTType) -> Bool {
        isDeclared(type) || tags(of: type)[.mimeType]?.contains(where: sharedMIMEInfo.knows) ?? false
    }

    /// Types with a MIME type under any of its names; not those that stand for any content at all.
    private func declaredTypes(ofMIMEType mimeType: String) -> [UTType] {
        sharedMIMEInfo.names(of: mimeType).flatMap { claimants(of: $0, in: .mimeType, conformingTo: nil) }
            .filter { $0 != .data }
    }

    /// Returns the supertypes of a MIME type's content: the nearest declared type of which it is a special form, and
    /// the type of its media type unless that one implies it.
    private func supertypes(ofMIMEType mimeType: String) -> [UTType] {
        let ancestors = sharedMIMEInfo.ancestors(of: mimeType).lazy.compactMap { ancestor in
            self.declaredTypes(ofMIMEType: ancestor).first { self.conforms($0, to: .data) }
        }
        var supertypes = Array(ancestors.prefix(1))
        let media: UTType? =
            switch sharedMIMEInfo.canonicalName(of: mimeType).prefix(while: { $0 != "/" }) {
            case "image": .image
            case "audio": .audio
            case "video": .movie
            case "font": .font
            case "text": .text
            default: supertypes.isEmpty ? .data : nil
            }
        if let media, !supertypes.contains(where: { conforms($0, to: media) }) { supertypes.append(media) }
        return supertypes
    }
}
