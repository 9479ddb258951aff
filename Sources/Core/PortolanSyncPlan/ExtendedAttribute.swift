import PortolanValues

/// An extended attribute, of the space `user`, that a version of a file has.
package struct ExtendedAttribute: Hashable, Comparable, Sendable {
    /// Without `user.`; compared by its bytes.
    package var name: SyncName
    package var value: [UInt8]

    package init(_ name: SyncName, _ value: [UInt8]) {
        self.name = name
        self.value = value
    }

    /// Most attributes of one version.
    package static let maximumCount = 64
    /// Most bytes of a name.
    package static let maximumNameBytes = 250
    /// Largest total ``weight`` of one version's attributes, in bytes, so that ``NodeRecord/maximumSiblings`` versions
    /// fit into one message with the rest of their record.
    package static let maximumBytes = 1024

    /// Name of the mark: for whom a file is, wherever its version goes.
    package static let mark = SyncName("portolan.visibility")

    /// Bytes for the limit: name and value, and three more.
    package var weight: Int { name.text.utf8.count + value.count + 3 }

    package static func < (left: Self, right: Self) -> Bool {
        left.name == right.name ? left.value.lexicographicallyPrecedes(right.value) : left.name < right.name
    }
}

extension [ExtendedAttribute] {
    /// Sum of the weights.
    package var weight: Int { reduce(0) { $0 + $1.weight } }

    /// True if these attributes are valid for a version: in the order of their names, none twice, and within the
    /// limits.
    package var isWellFormed: Bool {
        count <= ExtendedAttribute.maximumCount && weight <= ExtendedAttribute.maximumBytes
            && allSatisfy { attribute in
                (1...ExtendedAttribute.maximumNameBytes).contains(attribute.name.text.utf8.count)
                    && !attribute.name.text.utf8.contains(0)
            }
            && zip(self, dropFirst()).allSatisfy { $0.name < $1.name }
    }
}

extension [ExtendedAttribute] {
    /// Value of the mark (``ExtendedAttribute/mark``), if there is one.
    package var mark: [UInt8]? {
        get { first { $0.name == ExtendedAttribute.mark }?.value }
        set {
            removeAll { $0.name == ExtendedAttribute.mark }
            guard let newValue else { return }
            let place = firstIndex { ExtendedAttribute.mark < $0.name } ?? endIndex
            insert(ExtendedAttribute(ExtendedAttribute.mark, newValue), at: place)
        }
    }
}

/// The mark of a version: the restriction of its file, as an attribute that each member must store with the file.
extension ContentForm {
    /// Bytes that are no text of a restriction are for nobody.
    package var restriction: Restriction {
        extended.mark.map { RestrictionText.restriction(in: $0) ?? .nobody } ?? .everyone
    }

    /// Adds the mark of an equal version: the narrower one counts, and of two that do not contain each other what is
    /// within both.
    mutating func narrow(to other: ContentForm) {
        guard let theirs = other.extended.mark, theirs != extended.mark else { return }
        extended.mark = RestrictionText.bytes(of: restriction.and(other.restriction))
    }
}
