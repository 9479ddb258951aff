extension UTType {
    /// Returns true if this type is `type` or a more special form of it.
    public func conforms(to type: UTType) -> Bool {
        TypeRegistry.shared.conforms(self, to: type)
    }

    /// Returns true if this type is a more general form of `type`. No type is its own supertype.
    public func isSupertype(of type: UTType) -> Bool {
        type.isSubtype(of: self)
    }

    /// Returns true if this type is a more special form of `type`. No type is its own subtype.
    public func isSubtype(of type: UTType) -> Bool {
        TypeRegistry.shared.isSubtype(self, of: type)
    }

    /// Every type this one conforms to, directly or not, without itself.
    public var supertypes: Set<UTType> { Set(orderedSupertypes) }

    /// ``supertypes``, nearest first: the parents in their declared order, then theirs.
    package var orderedSupertypes: [UTType] { TypeRegistry.shared.supertypes(of: self) }
}
