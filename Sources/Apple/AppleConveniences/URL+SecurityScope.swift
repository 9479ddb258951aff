extension URL {
    /// Does nothing: a program on Linux has the access rights of its user.
    /// - Returns: True, so that code that depends on access continues.
    public func startAccessingSecurityScopedResource() -> Bool { true }

    /// Undoes ``startAccessingSecurityScopedResource()``, which did nothing.
    public func stopAccessingSecurityScopedResource() {}
}
