/// Knowledge of shared-mime-info on a machine: which MIME type a file name has, the aliases of a MIME type, and the
/// types of which it is a special form.
///
/// It is read from the output of `update-mime-database`: the cache of each folder, or its text files if there is no
/// cache.
package struct SharedMIMEInfo: Sendable {
    /// Larger files are not read.
    static let maximumFileSize = 8 << 20

    /// The more important first.
    private let folders: [any MIMEFolder]

    /// - Parameter folders: `mime` folders, the more important first.
    init(folders: [String]) {
        self.folders = folders.map { folder in
            if let cache = MIMECache(folder: folder) { cache } else { MIMETextFiles(folder: folder) }
        }
    }

    init(_ folders: [any MIMEFolder]) {
        self.folders = folders
    }

    /// Content of one cache; nil for bytes that are no cache, or a damaged one.
    package init?(cache bytes: [UInt8]) {
        guard let cache = MIMECache(bytes) else { return nil }
        folders = [cache]
    }

    /// Returns the MIME types of files with an extension, such as `gz` or `tar.gz`; likeliest first.
    package func types(ofExtension filenameExtension: String) -> [String] {
        let filenameExtension = filenameExtension.lowercased()
        return types { $0.types(ofExtension: filenameExtension) }
    }

    /// Returns the MIME types of files with exactly this name, such as `makefile`; likeliest first.
    package func types(ofFileNamed name: String) -> [String] {
        let name = name.lowercased()
        return types { $0.types(ofFileNamed: name) }
    }

    /// Returns the types in order: heavier patterns first; among equals the more important folder and the earlier line.
    private func types(in folder: (any MIMEFolder) -> [MIMEGlob]) -> [String] {
        var found: [MIMEGlob] = []
        var closed: Set<String> = []
        for known in folders {
            found += folder(known).filter { !closed.contains($0.value) }
            closed.formUnion(known.closedTypes)
        }
        return Self.distinct(Self.heaviestFirst(found))
    }

    /// Extensions of a MIME type. Heavier patterns come first; among equals, whose order in the files means nothing,
    /// shorter ones.
    package func extensions(of type: String) -> [String] {
        let name = canonicalName(of: type)
        var found: [MIMEGlob] = []
        for folder in folders {
            found += folder.extensions(of: name).sorted { ($0.value.count, $0.value) < ($1.value.count, $1.value) }
            if folder.closedTypes.contains(name) { break }
        }
        return Self.distinct(Self.heaviestFirst(found))
    }

    package func canonicalName(of type: String) -> String {
        let name = type.lowercased()
        return folders.lazy.compactMap { $0.type(ofAlias: name) }.first ?? name
    }

    /// Returns true if a MIME type is known in any way.
    package func knows(_ type: String) -> Bool {
        let name = canonicalName(of: type)
        return !parents(of: name).isEmpty || !otherNames(of: name).isEmpty || !extensions(of: name).isEmpty
    }

    /// Returns every name of a MIME type, the canonical one first.
    package func names(of type: String) -> [String] {
        let name = canonicalName(of: type)
        return Self.distinct([name] + otherNames(of: name))
    }

    private func otherNames(of name: String) -> [String] {
        // A more important folder may give an alias to another type.
        folders.indices.flatMap { index in
            folders[index].aliases(of: name).filter { alias in
                !folders[..<index].contains { $0.type(ofAlias: alias) != nil }
            }
        }
    }

    private func parents(of name: String) -> [String] {
        Self.distinct(folders.flatMap { $0.parents(of: name) })
    }

    /// Returns the types of which a MIME type is a special form, nearest first. A loop ends at the first repeated type.
    package func ancestors(of type: String) -> [String] {
        var found = [canonicalName(of: type)]
        var met = Set(found)
        var next = 0
        while next < found.count {
            for parent in parents(of: found[next]) {
                let name = canonicalName(of: parent)
                if met.insert(name).inserted { found.append(name) }
            }
            next += 1
        }
        return Array(found.dropFirst())
    }

    private static func heaviestFirst(_ globs: [MIMEGlob]) -> [String] {
        globs.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element.value)
    }

    private static func distinct(_ values: [String]) -> [String] {
        var met: Set<String> = []
        return values.filter { met.insert($0).inserted }
    }
}
