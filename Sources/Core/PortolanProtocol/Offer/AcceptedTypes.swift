import UniformTypeIdentifiers

/// Content types that a receiver imports, with the answers for the identifiers that it was asked about: the items of
/// one offer name few types, again and again.
public struct AcceptedTypes: Sendable {
    private let types: [UTType]?
    private var answers: [String: Bool] = [:]

    /// - Parameter types: nil means everything, an empty list nothing.
    public init(_ types: [UTType]?) {
        self.types = types
    }

    /// Returns true if `type` conforms to one of them (``OfferedType/conforms(to:)``).
    public mutating func accepts(_ type: OfferedType) -> Bool {
        guard let types else { return true }
        if accepts(type.identifier, types) { return true }
        return type.localType == nil && type.ancestors.contains { accepts($0, types) }
    }

    /// Returns true if a form is of one of them, and a folder exactly if the type is one of folders (6.5-4).
    public mutating func accepts(_ form: OfferedRepresentation) -> Bool {
        types == nil || form.fitsItsType && accepts(form.type)
    }

    private mutating func accepts(_ identifier: String, _ types: [UTType]) -> Bool {
        if let answer = answers[identifier] { return answer }
        let local = UTType(identifier)
        let answer = types.contains { local?.conforms(to: $0) ?? (identifier == $0.identifier) }
        answers[identifier] = answer
        return answer
    }
}

extension OfferedRepresentation {
    /// True for a folder of a type of folders or packages, and for a file of any other type.
    ///
    /// A type that this machine does not know, and that its sender derives from both, fits nothing.
    public var fitsItsType: Bool {
        let isOfFolders = type.conforms(to: .directory) || type.conforms(to: .package)
        guard isFolder else { return !isOfFolders }
        return isOfFolders && (type.localType != nil || !type.conforms(to: .data))
    }
}
