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
        var found = [self]
        var next = 0
        while next < found.count {
            for parent in found[next].parents where !found.contains(parent) {
                found.append(parent)
            }
            next += 1
        }
        return Array(found.dropFirst())
    }

    private var parents: [UTType] {
        if let declaration {
            return declaration.parents.map(UTType.init(known:))
        }
        // A dynamic identifier was written by somebody else, perhaps in other letters.
        return dynamicIdentifier?.supertypes.map(UTType.init(referred:)) ?? []
    }
}
