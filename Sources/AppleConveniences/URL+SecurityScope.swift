import Foundation

extension URL {
    /// Nothing has to be unlocked: a program on Linux may touch what its user may touch, and finds out by doing so.
    /// - Returns: True, so that code that goes on only after being let in goes on.
    public func startAccessingSecurityScopedResource() -> Bool { true }

    /// Undoes ``startAccessingSecurityScopedResource()``, which did nothing.
    public func stopAccessingSecurityScopedResource() {}
}
