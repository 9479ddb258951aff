/// A file name within the limits of a file system; a number before its extension makes it unique.
struct FittedName {
    /// Limit of Linux's file systems.
    private static let mostBytes = 255

    private let stem: String
    private let ending: String

    /// Number of the variant; 1 leaves the name as it is.
    var number = 1

    init(_ name: String) {
        let pathExtension = NSString(string: name).pathExtension
        // An "extension" that fills the name is not taken for one.
        if pathExtension.isEmpty || pathExtension.utf8.count > 32 {
            (stem, ending) = (name, "")
        } else {
            (stem, ending) = (NSString(string: name).deletingPathExtension, ".\(pathExtension)")
        }
    }

    /// The name; if it is too long, the part before the extension is cut.
    var text: String {
        let ending = number == 1 ? ending : " (\(number))\(ending)"
        var stem = stem
        while stem.utf8.count + ending.utf8.count > Self.mostBytes { stem.removeLast() }
        return stem + ending
    }

    /// True if a suggestion is a single file name, without control characters.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".."
            && !name.unicodeScalars.contains { $0 == "/" || $0.properties.generalCategory == .control }
    }
}
