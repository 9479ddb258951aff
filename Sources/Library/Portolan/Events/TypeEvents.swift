extension NodeEvent {
    /// Content type, with its declaration on this machine.
    public struct TypeState: EventFields {
        public let type: String
        public let description: OrNull<String>
        /// True if a declaration of the type is known.
        public let declared: Bool
        /// True if the type was made up for a tag that no type claims.
        public let dynamic: Bool
        /// All types that it conforms to, nearest first.
        public let conformsTo: [String]
        /// Preferred first.
        public let extensions: [String]
        /// Preferred first.
        public let mimeTypes: [String]
        /// Path of the property list.
        public let declaredIn: OrNull<String>
        public let version: OrNull<Int>
        public let reference: OrNull<String>
        /// The file that it is the type of, if it was asked for one.
        public let path: OrNull<String>

        public static let fields: [Field] = [
            Field("type", .text, "identifier"), Field("description", .orNull(.text), "text or null"),
            Field("declared", .truth, "whether this machine knows a declaration"),
            Field("dynamic", .truth, "whether it was made up for a tag that no type claims"),
            Field("conformsTo", .list(.text), "everything it conforms to, nearest first"),
            Field("extensions", .list(.text), "preferred first"), Field("mimeTypes", .list(.text), "preferred first"),
            Field("declaredIn", .orNull(.text), "path of the property list, or null"),
            Field("version", .orNull(.number), "number or null"), Field("reference", .orNull(.text), "URL or null"),
            Field("path", .orNull(.text), "types of: the file, or null"),
        ]

        package init(_ type: UTType, declaredIn file: String?, of path: String?) {
            self.type = type.identifier
            description = OrNull(type.localizedDescription)
            declared = type.isDeclared
            dynamic = type.isDynamic
            conformsTo = type.orderedSupertypes.map(\.identifier)
            extensions = type.tags[.filenameExtension] ?? []
            mimeTypes = type.tags[.mimeType] ?? []
            declaredIn = OrNull(file)
            version = OrNull(type.version)
            reference = OrNull(type.referenceURL?.absoluteString)
            self.path = OrNull(path)
        }
    }

    /// Conformance of a type to another one.
    public struct Conformance: EventFields {
        public let type: String
        public let to: String
        public let conforms: Bool

        public static let fields: [Field] = [
            Field("type", .text, "identifier"), Field("to", .text, "identifier"),
            Field("conforms", .truth, "true or false"),
        ]

        package init(_ type: UTType, to other: UTType, conforms: Bool) {
            self.type = type.identifier
            to = other.identifier
            self.conforms = conforms
        }
    }

    /// Declarations were installed.
    public struct Imported: EventFields {
        /// Current path of the files.
        public let path: String

        public static let fields: [Field] = [Field("path", .text, "where they are now")]

        package init(path: String) { self.path = path }
    }

    /// A mistake in a declaration.
    public struct Problem: EventFields {
        public enum Severity: String, Codable, Sendable, CaseIterable {
            case warning
            case error
        }

        public let severity: Severity
        public let file: OrNull<String>
        public let line: OrNull<Int>
        /// From 1, in Unicode scalars.
        public let column: OrNull<Int>
        /// Key path in the property list.
        public let key: OrNull<String>
        public let type: OrNull<String>
        public let message: String

        public static let fields: [Field] = [
            Field("severity", .words(Severity.self), "error or warning"), Field("file", .orNull(.text), "path or null"),
            Field("line", .orNull(.count), "number or null"), Field("column", .orNull(.count), "number or null"),
            Field("key", .orNull(.text), "key path in the property list or configuration file, or null"),
            Field("type", .orNull(.text), "identifier or null"), Field("message", .text, "text"),
        ]

        package init(_ problem: TypeProblem) {
            severity = problem.severity == .error ? .error : .warning
            file = OrNull(problem.file)
            line = OrNull(problem.line)
            column = OrNull(nil)
            key = OrNull(problem.keyPath)
            type = OrNull(problem.identifier)
            message = problem.sentence
        }

        package init(_ severity: Severity, file: String, line: Int, column: Int?, key: String?, message: String) {
            self.severity = severity
            self.file = OrNull(file)
            self.line = OrNull(line)
            self.column = OrNull(column)
            self.key = OrNull(key)
            type = OrNull(nil)
            self.message = message
        }
    }

    /// Form of an item, in order of preference, with its visibility for a peer.
    public struct Representation: EventFields {
        public let item: Int
        /// Title of the item.
        public let title: String
        public let representation: Int
        public let type: String
        public let description: OrNull<String>
        public let visibility: String
        public let audience: OrNull<NamedAudience>
        public let bytes: OrNull<UInt64>
        /// Suggested file name.
        public let name: OrNull<String>
        public let folder: Bool
        public let shown: Bool
        /// Its number for the peer, from 0.
        public let position: OrNull<Int>
        public let why: String
        /// Program that makes the form.
        public let converter: OrNull<String>

        public static let fields: [Field] = [
            .item, Field("title", .text, "the item's"), .representation, Field("type", .text, "identifier"),
            Field("description", .orNull(.text), "text or null"),
            Field("visibility", .visibility, "all, team, group or own-process"), .audience,
            Field("bytes", .orNull(.count), "number or null"), Field("name", .orNull(.text), "suggested, or null"),
            Field("folder", .truth, "true or false"), Field("shown", .truth, "whether the peer would see it"),
            Field("position", .orNull(.count), "what the peer would know it by, from 0, or null"),
            Field("why", .text, "text"), Field("converter", .orNull(.text), "the program that makes it, or null"),
        ]

        package init(_ view: RepresentationView, of item: ItemView) {
            self.item = item.item
            title = item.title
            representation = view.representation
            type = view.contentType.identifier
            description = OrNull(view.contentType.localizedDescription)
            visibility = view.visibility.description
            audience = OrNull(NamedAudience(view.restriction))
            bytes = OrNull(view.size)
            name = OrNull(view.suggestedName)
            folder = view.isFolder
            shown = view.isShown
            position = OrNull(view.position)
            why = view.reason
            converter = OrNull(view.converter)
        }
    }
}
