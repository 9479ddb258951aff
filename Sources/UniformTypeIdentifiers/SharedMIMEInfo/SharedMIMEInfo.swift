import Foundation

/// What shared-mime-info knows on a machine: which MIME type a file name has, by which other names a MIME type goes,
/// and what it is a special form of.
///
/// It is read from the files `globs2`, `aliases` and `subclasses` that `update-mime-database` makes of everything that
/// is installed. Only whole names and names that end in an extension are used; other patterns tell nothing about an
/// extension.
struct SharedMIMEInfo: Sendable {
    /// Larger files are not read.
    static let maximumFileSize = 8 << 20
    private static let maximumLineLength = 1024

    /// MIME types by lower-case extension, such as `gz` or `tar.gz`; likeliest first.
    private var typesByExtension: [String: [String]] = [:]
    /// MIME types by file name, such as `makefile`.
    private var typesByName: [String: [String]] = [:]
    /// Extensions by MIME type, preferred first.
    private var extensionsByType: [String: [String]] = [:]
    private var canonicalNames: [String: String] = [:]
    private var otherNames: [String: [String]] = [:]
    private var parents: [String: [String]] = [:]

    /// - Parameter folders: `mime` folders, the more important first.
    init(folders: [String]) {
        var globs: [Glob] = []
        var closed: Set<String> = []
        for folder in folders {
            readGlobs(in: folder, into: &globs, closed: &closed)
            Self.forEachLine(of: "aliases", in: folder, separator: " ") { fields in
                guard fields.count == 2, canonicalNames[fields[0]] == nil else { return }
                canonicalNames[fields[0]] = fields[1]
                otherNames[fields[1], default: []].append(fields[0])
            }
            Self.forEachLine(of: "subclasses", in: folder, separator: " ") { fields in
                guard fields.count == 2, parents[fields[0]]?.contains(fields[1]) != true else { return }
                parents[fields[0], default: []].append(fields[1])
            }
        }
        // Heavier patterns first; among equals the more important folder and the earlier line.
        for glob in globs.enumerated().sorted(by: { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }) {
            index(glob.element)
        }
    }

    private struct Glob {
        var weight: Int
        var type: String
        var pattern: String
    }

    private mutating func index(_ glob: Glob) {
        func add(_ value: String, to table: inout [String: [String]], at key: String) {
            if table[key]?.contains(value) != true { table[key, default: []].append(value) }
        }
        let pattern = glob.pattern.lowercased()
        if pattern.hasPrefix("*.") {
            let filenameExtension = String(pattern.dropFirst(2))
            add(glob.type, to: &typesByExtension, at: filenameExtension)
            add(filenameExtension, to: &extensionsByType, at: glob.type)
        } else {
            add(glob.type, to: &typesByName, at: pattern)
        }
    }

    /// Lines are `weight:type:pattern` and perhaps `:flags`. The pattern `__NOGLOBS__` says that less important folders
    /// have nothing to say about a type.
    private func readGlobs(in folder: String, into globs: inout [Glob], closed: inout Set<String>) {
        var closedHere: Set<String> = []
        Self.forEachLine(of: "globs2", in: folder, separator: ":") { fields in
            guard fields.count >= 3, let weight = Int(fields[0]), !closed.contains(fields[1]) else { return }
            let pattern = fields[2]
            if pattern == "__NOGLOBS__" {
                closedHere.insert(fields[1])
                return
            }
            // A pattern for capitals alone, such as `*.C`, says nothing about tags, which are the same in any case.
            let isCaseSensitive = fields.count > 3 && fields[3].split(separator: ",").contains("cs")
            guard !(isCaseSensitive && pattern.lowercased() != pattern) else { return }
            let literal = pattern.hasPrefix("*.") ? String(pattern.dropFirst(2)) : pattern
            guard !literal.isEmpty, !literal.contains(where: { "*?[]/\\".contains($0) }),
                TypeIdentifier.isPossible(tag: literal, in: .filenameExtension)
            else { return }
            globs.append(Glob(weight: weight, type: fields[1], pattern: pattern))
        }
        closed.formUnion(closedHere)
    }

    /// Gives the fields of each line that can be read; comments and overlong lines are passed over.
    private static func forEachLine(
        of name: String, in folder: String, separator: Character, _ body: ([String]) -> Void
    ) {
        let path = TypePlaces.path(folder, name)
        guard let data = try? BoundedFile.read(path, maximumSize: maximumFileSize) else { return }
        for line in data.split(separator: UInt8(ascii: "\n"))
        where line.count <= maximumLineLength && line.first != UInt8(ascii: "#") {
            guard let text = String(validating: line, as: UTF8.self) else { continue }
            body(text.split(separator: separator, omittingEmptySubsequences: false).map(String.init))
        }
    }
}

// MARK: - Asking

extension SharedMIMEInfo {
    /// MIME types of files with an extension, likeliest first.
    func types(ofExtension filenameExtension: String) -> [String] {
        typesByExtension[filenameExtension.lowercased()] ?? []
    }

    /// MIME types of files with exactly this name, likeliest first.
    func types(ofFileNamed name: String) -> [String] {
        typesByName[name.lowercased()] ?? []
    }

    func extensions(of type: String) -> [String] {
        extensionsByType[canonicalName(of: type)] ?? []
    }

    func canonicalName(of type: String) -> String {
        canonicalNames[type.lowercased()] ?? type.lowercased()
    }

    /// Whether anything at all is known of a MIME type.
    func knows(_ type: String) -> Bool {
        let name = canonicalName(of: type)
        return extensionsByType[name] != nil || parents[name] != nil || otherNames[name] != nil
    }

    /// Every name of a MIME type, the canonical one first.
    func names(of type: String) -> [String] {
        let name = canonicalName(of: type)
        return [name] + (otherNames[name] ?? [])
    }

    /// What a MIME type is a special form of, nearest first. A loop ends where it meets a type again.
    func ancestors(of type: String) -> [String] {
        var found = [canonicalName(of: type)]
        var met = Set(found)
        var next = 0
        while next < found.count {
            for parent in parents[found[next]] ?? [] {
                let name = canonicalName(of: parent)
                if met.insert(name).inserted { found.append(name) }
            }
            next += 1
        }
        return Array(found.dropFirst())
    }
}
