import PortolanFiles

extension NodeEnvironment {
    /// May block.
    ///
    /// - Throws: `NodeError` for an item that is one of the program's own files, or in their folder.
    func confirmNotOwn(_ items: [Item]) throws(NodeError) {
        for path in items.lazy.flatMap(\.representations).compactMap(\.sourcePath) where own.hold(path) {
            throw NodeError(.noInput, FileError.own(DisplayText(path)).description)
        }
    }

    /// Resolves the restriction of each representation: as requested, completed with the default team and this device's
    /// own groups in it, and never wider than the restriction under which the file was received. May block.
    ///
    /// - Parameter numbers: numbers of the items; nil numbers them from 0.
    /// - Throws: `StoreError`, and `NodeError` if the configured team does not exist.
    func resolved(_ items: [Item], numbered numbers: [Int]? = nil) throws -> [ResolvedItem] {
        let lacksAudience = items.contains { $0.representations.contains(where: \.requested.lacksAudience) }
        let audience = lacksAudience ? try defaultAudience() : nil
        return zip(numbers ?? Array(items.indices), items).map { number, item in
            ResolvedItem(item, number: number, audience: audience)
        }
    }
}
