import Glibc
import PortolanValues

extension TreeEntry {
    /// Runs a call that stores something of this entry.
    func storing<Result>(_ call: () throws(SystemFailure) -> Result) throws(FileError) -> Result {
        try FileError.whileStoring(DisplayText(name.text), call)
    }

    /// Runs a call that creates a file or folder with the name of this entry.
    ///
    /// - Parameter folder: folder of the entry; nil for the item itself, whose name in the workspace is Portolan's.
    func making<Result>(
        in folder: ItemFolder?, _ call: () throws(SystemFailure) -> Result
    ) throws(FileError) -> Result {
        do throws(SystemFailure) {
            return try call()
        } catch {
            if error.number == EEXIST, folder != nil { throw .twice(name.text.utf8) }
            throw .storing(DisplayText(name.text), error)
        }
    }
}

/// Creates a file or folder with the name of an entry in `folder`.
///
/// - Returns: nil if the file system refuses the name.
func unlessNameIsRefused<Result>(
    in folder: ItemFolder?, _ make: () throws(FileError) -> Result
) throws(FileError) -> Result? {
    do throws(FileError) {
        return try make()
    } catch {
        guard folder != nil, error.kind == .nameRefused else { throw error }
        return nil
    }
}
