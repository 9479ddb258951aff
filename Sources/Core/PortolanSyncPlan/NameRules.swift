/// Rules by which a file system compares names.
package struct NameRules: Hashable, Sendable {
    /// Names that differ in case, or in composition, are one name.
    package var ignoresCase: Bool
    package var maximumBytes: Int

    package init(ignoresCase: Bool = false, maximumBytes: Int = SyncName.maximumBytes) {
        self.ignoresCase = ignoresCase
        self.maximumBytes = maximumBytes
    }

    package func canHold(_ name: SyncName) -> Bool { name.isComponent && name.text.utf8.count <= maximumBytes }
}
