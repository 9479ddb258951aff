/// What is declared about one type.
///
/// Lists are comma-separated text, split when somebody asks, so that the built-in table is string literals and
/// nothing else.
struct TypeDeclaration: Sendable {
    /// Lower case; what the declaration is found by.
    let key: String
    let identifier: String
    private let parentList: String
    private let extensionList: String
    private let mimeTypeList: String
    private let fourCharacterCodeList: String
    private let pasteboardTypeList: String
    private let descriptionText: String

    init(
        _ key: String, spelled identifier: String? = nil, _ parents: String, extensions: String = "",
        mimeTypes: String = "", fourCharacterCodes: String = "", pasteboardTypes: String = "", description: String = ""
    ) {
        self.key = key
        self.identifier = identifier ?? key
        parentList = parents
        extensionList = extensions
        mimeTypeList = mimeTypes
        fourCharacterCodeList = fourCharacterCodes
        pasteboardTypeList = pasteboardTypes
        descriptionText = description
    }

    /// Identifiers of the types this one conforms to directly.
    var parents: [String] { parentList.split(separator: ",").map(String.init) }

    var description: String? { descriptionText.isEmpty ? nil : descriptionText }

    var tags: [UTTagClass: [String]] {
        let lists: [(UTTagClass, String)] = [
            (.filenameExtension, extensionList), (.mimeType, mimeTypeList),
            (.fourCharacterCode, fourCharacterCodeList), (.pasteboardType, pasteboardTypeList),
        ]
        var tags: [UTTagClass: [String]] = [:]
        for (tagClass, list) in lists where !list.isEmpty {
            tags[tagClass] = list.split(separator: ",").map(String.init)
        }
        return tags
    }
}
