/// Reads the generated table. Types are known by their rows in it; nothing is copied before it is asked for.
enum BuiltInTypes {
    static let count = Int32(TypeTable.identifiers.count)

    static func contains(_ row: Int32) -> Bool { row >= 0 && row < count }

    static func identifier(of row: Int32) -> String { TypeTable.identifiers[Int(row)] }

    /// Returns true if the table declares the type. Rows also exist for types that it merely mentions as parents.
    static func isDeclared(_ row: Int32) -> Bool { TypeTable.standings[Int(row)] & 1 != 0 }

    /// Returns true if the system owns the type, so that it cannot be declared again.
    static func isOwned(_ row: Int32) -> Bool { TypeTable.standings[Int(row)] & 2 != 0 }

    /// Returns true if the system owns all supertypes of the type as well, so that its lineage cannot change.
    static func isSettled(_ row: Int32) -> Bool { TypeTable.standings[Int(row)] & 4 != 0 }

    /// Supertypes of the type in the table, nearest first: its parents, then theirs.
    static func lineage(of row: Int32) -> ArraySlice<UInt16> {
        let row = Int(row)
        return TypeTable.lineages[Int(TypeTable.lineageStarts[row])..<Int(TypeTable.lineageStarts[row + 1])]
    }

    static func isSubtype(_ row: Int32, of ancestor: Int32) -> Bool {
        guard let ancestor = UInt16(exactly: ancestor) else { return false }
        var position = Int(TypeTable.lineageStarts[Int(row)])
        let end = Int(TypeTable.lineageStarts[Int(row) + 1])
        while position < end {
            if TypeTable.lineages[position] == ancestor { return true }
            position += 1
        }
        return false
    }

    static func parents(of row: Int32) -> ArraySlice<UInt16> {
        lineage(of: row).prefix(Int(TypeTable.parentCounts[Int(row)]))
    }

    /// Returns the declaration written out; nil for a type that is only mentioned.
    static func declaration(of row: Int32) -> TypeDeclaration? {
        guard isDeclared(row) else { return nil }
        var declaration = TypeDeclaration(
            identifier: identifier(of: row), parents: parents(of: row).map { identifier(of: Int32($0)) })
        for (position, tagClass) in lists.enumerated() {
            let tags = list(in: position + 1, of: row)
            if !tags.isEmpty { declaration.tags[tagClass] = tags }
        }
        declaration.description = description(of: row)
        return declaration
    }
}

// MARK: - Details

extension BuiltInTypes {
    /// The classes of tags, in the order of their fields after the identifier.
    private static let lists = [UTTagClass.filenameExtension, .mimeType, .fourCharacterCode, .pasteboardType]
    private static let descriptionField = 5

    static func description(of row: Int32) -> String? {
        let description = field(descriptionField, of: row)
        return description.isEmpty ? nil : String(decoding: description, as: UTF8.self)
    }

    /// Returns the first of a type's tags of one class; nil for the classes without an index.
    static func preferredTag(in tagClass: UTTagClass, of row: Int32) -> String? {
        guard let index = TagIndex(of: tagClass) else { return nil }
        let tags = field(index.field, of: row)
        return tags.isEmpty ? nil : String(decoding: tags.prefix { $0 != comma }, as: UTF8.self)
    }

    private static func list(in number: Int, of row: Int32) -> [String] {
        field(number, of: row).split(separator: comma).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func field(_ number: Int, of row: Int32) -> Slice<UnsafeBufferPointer<UInt8>> {
        var start = Int(TypeTable.detailStarts[Int(row)])
        let lineEnd = Int(TypeTable.detailStarts[Int(row) + 1]) - 1
        for _ in 0..<number {
            while details[start] != bar { start += 1 }
            start += 1
        }
        var end = start
        while end < lineEnd, details[end] != bar { end += 1 }
        return details[start..<end]
    }

    fileprivate static var details: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: TypeTable.details.utf8Start, count: TypeTable.details.utf8CodeUnitCount)
    }
}

private let bar = UInt8(ascii: "|")
private let comma = UInt8(ascii: ",")

// MARK: - Finding

extension BuiltInTypes {
    /// Returns the row of an identifier, written in any case.
    static func row(of identifier: String) -> Int32? {
        var identifier = identifier
        return identifier.withUTF8 { wanted in
            position(of: wanted, among: TypeTable.detailStarts, count: TypeTable.identifiers.count).map(Int32.init)
        }
    }

    /// Returns the rows that claim a tag, written in any case; likeliest first.
    static func claimants(of tag: String, in tagClass: UTTagClass) -> ArraySlice<UInt16> {
        guard let index = TagIndex(of: tagClass) else {
            // The classes of the classic Mac are asked too rarely to deserve an index.
            guard let field = lists.firstIndex(of: tagClass) else { return [] }
            return ArraySlice((0..<count).filter { list(in: field + 1, of: $0).contains(tag) }.map(UInt16.init))
        }
        var tag = tag
        let found = tag.withUTF8 { position(of: $0, among: index.tags, count: index.tags.count) }
        return found.map { index.claimants[Int(index.starts[$0])..<Int(index.starts[$0 + 1])] } ?? []
    }

    /// Searches for a word among those of the details, which begin at sorted places, by bisection.
    private static func position(
        of wanted: UnsafeBufferPointer<UInt8>, among starts: [UInt32], count: Int
    ) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            let order = order(of: wanted, andWordAt: Int(starts[middle]))
            if order == 0 { return middle }
            if order > 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Compares a word with one of the details: negative if the wanted one comes first, positive if it comes after.
    /// Case does not count.
    private static func order(of wanted: UnsafeBufferPointer<UInt8>, andWordAt start: Int) -> Int {
        for (position, byte) in wanted.enumerated() {
            let other = details[start + position]
            // The wanted word is longer; words in the details contain neither mark.
            if other == bar || other == comma { return 1 }
            let difference = Int(lowercased(byte)) - Int(lowercased(other))
            if difference != 0 { return difference }
        }
        let next = details[start + wanted.count]
        return next == bar || next == comma ? 0 : -1
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}

/// Index of one class of tags in the generated table.
private struct TagIndex {
    let field: Int
    let tags: [UInt32]
    let starts: [UInt16]
    let claimants: [UInt16]

    init?(of tagClass: UTTagClass) {
        if tagClass == .filenameExtension {
            field = 1
            tags = TypeTable.extensionTags
            starts = TypeTable.extensionStarts
            claimants = TypeTable.extensionClaimants
        } else if tagClass == .mimeType {
            field = 2
            tags = TypeTable.mimeTypeTags
            starts = TypeTable.mimeTypeStarts
            claimants = TypeTable.mimeTypeClaimants
        } else {
            return nil
        }
    }
}
