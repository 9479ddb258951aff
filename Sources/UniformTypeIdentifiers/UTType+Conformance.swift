extension UTType {
    /// Whether this type is `type` or a more special form of it.
    public func conforms(to type: UTType) -> Bool {
        self == type || isSubtype(of: type)
    }

    /// Whether this type is a more general form of `type`. No type is its own supertype.
    public func isSupertype(of type: UTType) -> Bool {
        type.isSubtype(of: self)
    }

    /// Whether this type is a more special form of `type`. No type is its own subtype.
    public func isSubtype(of type: UTType) -> Bool {
        orderedSupertypes.contains(type)
    }

    /// Every type this one conforms to, directly or not, without itself.
    public var supertypes: Set<UTType> { Set(orderedSupertypes) }

    /// ``supertypes``, nearest first: the parents in their declared order, then theirs.
    package var orderedSupertypes: [UTType] {
        // The frontier is the result itself. A loop made by run-time declarations ends where it meets a type again.
        var found = parents
        var next = 0
        while next < found.count {
            for parent in found[next].parents where parent != self && !found.contains(parent) {
                found.append(parent)
            }
            next += 1
        }
        return found
    }

    private var parents: [UTType] {
        let identifiers = declaration?.parents ?? dynamicIdentifier?.supertypes ?? []
        var parents: [UTType] = []
        for parent in identifiers.map(UTType.init(referred:)) where parent != self && !parents.contains(parent) {
            parents.append(parent)
        }
        return parents
    }
}
