extension NSItemProvider {
    /// The types of the item's forms, in the order in which they were registered, each once.
    public var registeredContentTypes: [UTType] { contentTypes { _ in true } }

    /// The types of those forms of which the file itself may be opened.
    public var registeredContentTypesForOpenInPlace: [UTType] { contentTypes(where: \.opensInPlace) }

    /// The types of the item's forms that conform to `contentType`.
    public func registeredContentTypes(conformingTo contentType: UTType) -> [UTType] {
        contentTypes { $0.contentType?.conforms(to: contentType) ?? false }
    }

    /// The type identifiers of the item's forms, in the order in which they were registered, each once.
    public var registeredTypeIdentifiers: [String] { registeredTypeIdentifiers(fileOptions: []) }

    /// The type identifiers of the forms that have all of `fileOptions`.
    public func registeredTypeIdentifiers(fileOptions: NSItemProviderFileOptions) -> [String] {
        var found: [String] = []
        for registration in registrations.all where registration.has(fileOptions) {
            if !found.contains(registration.identifier) { found.append(registration.identifier) }
        }
        return found
    }

    /// True if the item has a form that conforms to this type.
    public func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool {
        hasRepresentationConforming(toTypeIdentifier: typeIdentifier)
    }

    /// True if the item has a form that conforms to this type and has all of `fileOptions`.
    public func hasRepresentationConforming(
        toTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions = []
    ) -> Bool {
        registrations.all.contains { $0.has(fileOptions) && $0.conforms(to: typeIdentifier) }
    }

    private func contentTypes(where isWanted: (Registration) -> Bool) -> [UTType] {
        var found: [UTType] = []
        for registration in registrations.all where isWanted(registration) {
            guard let contentType = registration.contentType, !found.contains(contentType) else { continue }
            found.append(contentType)
        }
        return found
    }

    /// The first form that conforms to a type.
    func registration(conformingTo typeIdentifier: String) throws -> Registration {
        let all = registrations.all
        guard let first = all.first(where: { $0.conforms(to: typeIdentifier) }) else {
            throw ItemProviderError.notRegistered(typeIdentifier, among: all)
        }
        return first
    }
}

extension Registration {
    fileprivate func has(_ fileOptions: NSItemProviderFileOptions) -> Bool {
        opensInPlace || !fileOptions.contains(.openInPlace)
    }
}
