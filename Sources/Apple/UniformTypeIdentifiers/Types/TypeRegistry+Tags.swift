import Synchronization

extension TypeRegistry {
    /// Returns every type with a tag that conforms to `supertype`, likeliest first; a dynamic one where none is
    /// declared.
    package func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        guard TypeIdentifier.isPossible(tag: tag, in: tagClass) else { return [] }
        let declared = claimants(of: tag, in: tagClass, conformingTo: supertype)
        if !declared.isEmpty { return declared }
        let resolved = resolvedBySharedMIMEInfo(tag: tag, tagClass: tagClass, conformingTo: supertype)
        if !resolved.isEmpty { return resolved }
        let dynamic = DynamicIdentifier(
            supertypes: supertype.map { [$0.identifier] } ?? [], tags: [tagClass: [tagClass.normalized(tag)]])
        return [dynamic.type].compactMap(\.self)
    }

    /// Returns the first of ``types(tag:tagClass:conformingTo:)``.
    package func type(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> UTType? {
        if let owned = ownedClaimant(of: tag, in: tagClass, conformingTo: supertype) { return owned }
        let question = TagAnswers.Question(tag: tag, tagClass: tagClass, supertype: supertype)
        if let known = answers[question] { return known }
        let best = types(tag: tag, tagClass: tagClass, conformingTo: supertype).first
        if let best { answers[question] = best }
        return best
    }

    /// Returns the likeliest of the declared types with a tag that conform to `supertype`; shared-mime-info is not
    /// asked.
    func declaredType(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> UTType? {
        ownedClaimant(of: tag, in: tagClass, conformingTo: supertype)
            ?? claimants(of: tag, in: tagClass, conformingTo: supertype).first
    }

    /// Returns the declared types with a tag that conform to `supertype`, likeliest first.
    func claimants(of tag: String, in tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        let claimants =
            tableClaimsHold
            ? BuiltInTypes.claimants(of: tag, in: tagClass).map {
                UTType(BuiltInTypes.identifier(of: Int32($0)), row: Int32($0))
            }
            : withTypes { types in
                types.claimants(of: tag, in: tagClass).map { UTType(types.identifier(of: $0), row: $0) }
            }
        guard let supertype else { return claimants }
        return claimants.filter { conforms($0, to: supertype) }
    }

    /// Returns the system's own claimants of a tag: they come first, so that no declaration can change the answer.
    private func ownedClaimant(of tag: String, in tagClass: UTTagClass, conformingTo supertype: UTType?) -> UTType? {
        guard tagClass == .filenameExtension || tagClass == .mimeType else { return nil }
        for claimant in BuiltInTypes.claimants(of: tag, in: tagClass) {
            let row = Int32(claimant)
            guard BuiltInTypes.isSettled(row) else { return nil }
            if supertype.map({ row == $0.row || BuiltInTypes.isSubtype(row, of: $0.row) }) ?? true {
                return UTType(BuiltInTypes.identifier(of: row), row: row)
            }
        }
        return nil
    }
}

/// Cache of answers that take long to find; emptied when it is full, and when a declaration may change them.
final class TagAnswers: Sendable {
    struct Question: Hashable {
        var tag: String
        var tagClass: UTTagClass
        var supertype: UTType?

        /// Hashes the tag alone: most questions differ in the tag.
        func hash(into hasher: inout Hasher) { hasher.combine(tag) }
    }

    private static let maximumCount = 4096
    private let answers = Mutex<[Question: UTType]>([:])

    subscript(question: Question) -> UTType? {
        get { answers.withLock { $0[question] } }
        set {
            answers.withLock { answers in
                if answers.count >= Self.maximumCount { answers.removeAll(keepingCapacity: true) }
                answers[question] = newValue
            }
        }
    }

    func forget() { answers.withLock { $0 = [:] } }
}
