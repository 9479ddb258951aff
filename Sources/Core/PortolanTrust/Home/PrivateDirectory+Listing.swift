import Glibc

extension PrivateDirectory {
    /// Returns the names of all entries that do not begin with a dot, in order.
    package func names() throws(StoreError) -> [String] {
        try allNames().filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Removes temporary files of processes that ended while writing: they may hold a secret.
    ///
    /// Call only inside the lock of all writers of these files; otherwise a file may still be in use.
    func removeLeftovers(of isWritten: (String) -> Bool) throws(StoreError) {
        for name in try allNames() {
            if let target = Self.target(ofTemporary: name), isWritten(target) { _ = try remove(name) }
        }
    }

    private func allNames() throws(StoreError) -> [String] {
        // A second open file description, because closedir closes it, and a duplicate would share the position.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw StoreError(.system(action: "list", code: errno), path: path) }
        guard let stream = fdopendir(copy) else {
            let code = errno
            close(copy)
            throw StoreError(.system(action: "list", code: code), path: path)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw StoreError(.system(action: "list", code: errno), path: path) }
        return names
    }
}
