import Foundation

/// A name for a file that a file system takes, and that can be made another one by a number before its extension.
struct FittedName {
    /// What Linux's file systems allow.
    private static let mostBytes = 255

    private let stem: String
    private let ending: String

    /// 1 for the name as it is.
    var number = 1

    init(_ name: String) {
        let pathExtension = NSString(string: name).pathExtension
        // An "extension" that fills the name is none.
        if pathExtension.isEmpty || pathExtension.utf8.count > 32 {
            (stem, ending) = (name, "")
        } else {
            (stem, ending) = (NSString(string: name).deletingPathExtension, ".\(pathExtension)")
        }
    }

    /// The name; of one that is too long the end of what stands before the extension is missing.
    var text: String {
        let ending = number == 1 ? ending : " (\(number))\(ending)"
        var stem = stem
        while stem.utf8.count + ending.utf8.count > Self.mostBytes { stem.removeLast() }
        return stem + ending
    }

    /// Whether a suggestion names a file, and not a place elsewhere or nothing that a person could read.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".."
            && !name.unicodeScalars.contains { $0 == "/" || $0.properties.generalCategory == .control }
    }
}
