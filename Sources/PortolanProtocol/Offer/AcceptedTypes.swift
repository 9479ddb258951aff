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

    private mutating func accepts(_ identifier: String, _ types: [UTType]) -> Bool {
        if let answer = answers[identifier] { return answer }
        let local = UTType(identifier)
        let answer = types.contains { local?.conforms(to: $0) ?? (identifier == $0.identifier) }
        answers[identifier] = answer
        return answer
    }
}
