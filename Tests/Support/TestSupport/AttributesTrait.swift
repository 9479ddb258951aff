import CTestSupport
import Glibc
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips tests where the files of a folder can have no extended attributes.
    package static func attributes(in folder: String) -> Self {
        .enabled("the file system of \(folder) keeps no attributes") { keepsAttributes(folder) }
    }
}

private func keepsAttributes(_ folder: String) -> Bool {
    var path = Array("\(folder)/portolan-probe-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    guard file >= 0 else { return false }
    defer {
        unlink(path)
        close(file)
    }
    return portolan_give_attribute(path, "user.probe", "1", 1) == 0
}
