import Portolan
import PortolanFiles

/// A name for a file at its receiver's, as a command line gives it.
package enum FileNameSyntax {
    /// - Throws: `ValueError` for a name that no receiver would take.
    package static func parse(_ text: String) throws(ValueError) -> String {
        return try translating(FileName(text).text) { (error: any Error) in
            ValueError("No file can be called “\(DisplayText(text))”: that is \(error).")
        }
    }
}
