/// The files `globs2`, `aliases` and `subclasses` of a folder, read whole.
struct MIMETextFiles: MIMEFolder {
    private static let maximumLineLength = 1024

    private(set) var closedTypes: Set<String> = []
    private var typesByExtension: [String: [MIMEGlob]] = [:]
    private var typesByName: [String: [MIMEGlob]] = [:]
    private var extensionsByType: [String: [MIMEGlob]] = [:]
    private var typesByAlias: [String: String] = [:]
    private var aliasesByType: [String: [String]] = [:]
    private var parentsByType: [String: [String]] = [:]

    init(folder: String) {
        readGlobs(in: folder)
        Self.forEachLine(of: "aliases", in: folder, separator: " ") { fields in
            guard fields.count == 2, typesByAlias[fields[0]] == nil else { return }
            typesByAlias[fields[0]] = fields[1]
            aliasesByType[fields[1], default: []].append(fields[0])
        }
        Self.forEachLine(of: "subclasses", in: folder, separator: " ") { fields in
            guard fields.count == 2 else { return }
            parentsByType[fields[0], default: []].append(fields[1])
        }
    }

    func types(ofExtension filenameExtension: String) -> [MIMEGlob] { typesByExtension[filenameExtension] ?? [] }
    func types(ofFileNamed name: String) -> [MIMEGlob] { typesByName[name] ?? [] }
    func extensions(of type: String) -> [MIMEGlob] { extensionsByType[type] ?? [] }
    func type(ofAlias alias: String) -> String? { typesByAlias[alias] }
    func aliases(of type: String) -> [String] { aliasesByType[type] ?? [] }
    func parents(of type: String) -> [String] { parentsByType[type] ?? [] }

    /// Lines are `weight:type:pattern` and perhaps `:flags`.
    private mutating func readGlobs(in folder: String) {
        /// Case-sensitive patterns. The files contain them again without the flag, for programs that do not know it.
        var caseSensitive: Set<String> = []
        Self.forEachLine(of: "globs2", in: folder, separator: ":") { fields in
            guard fields.count >= 3, let weight = Int(fields[0]) else { return }
            let (type, pattern) = (fields[1], fields[2])
            if pattern == MIMEGlob.closing {
                closedTypes.insert(type)
            } else if fields.count > 3, fields[3].split(separator: ",").contains("cs") {
                caseSensitive.insert("\(type):\(pattern)")
                // A pattern of capitals only, such as `*.C`, does not apply to tags, which are compared without regard
                // to case.
                if pattern.lowercased() == pattern { add(type, weight, pattern) }
            } else if caseSensitive.isEmpty || !caseSensitive.contains("\(type):\(pattern)") {
                add(type, weight, pattern)
            }
        }
    }

    private mutating func add(_ type: String, _ weight: Int, _ pattern: String) {
        if let filenameExtension = MIMEGlob.filenameExtension(ofPattern: pattern) {
            typesByExtension[filenameExtension, default: []].append(MIMEGlob(value: type, weight: weight))
            extensionsByType[type, default: []].append(MIMEGlob(value: filenameExtension, weight: weight))
        } else if MIMEGlob.isLiteral(pattern) {
            typesByName[pattern.lowercased(), default: []].append(MIMEGlob(value: type, weight: weight))
        }
    }

    /// Gives the fields of each line that can be read; comments and overlong lines are passed over.
    private static func forEachLine(
        of name: String, in folder: String, separator: Unicode.Scalar, _ body: ([String]) -> Void
    ) {
        let path = TypePlaces.path(folder, name)
        guard let bytes = try? BoundedFile.bytes(path, maximumSize: SharedMIMEInfo.maximumFileSize) else { return }
        for line in bytes.split(separator: UInt8(ascii: "\n"))
        where line.count <= maximumLineLength && line.first != UInt8(ascii: "#") {
            let fields = line.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
                .compactMap { String(validating: $0, as: UTF8.self) }
            // A separator is no part of another character, so that the line is text where its fields are.
            if !fields.isEmpty { body(fields) }
        }
    }
}
