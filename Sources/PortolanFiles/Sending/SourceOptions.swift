/// Options of walking a source.
package struct SourceOptions: Hashable, Sendable {
    /// Entries are only looked at: a file is opened when its content is wanted (``SourceEntry/open()``), as in a
    /// transfer whose receiver has most of it. Otherwise each file comes opened.
    package var looking = false
    /// Files with several names inside the item come once; the other names are hard links to that one.
    package var hardLinks = false
    /// Extended attributes of files and folders come along.
    package var attributes = false
    /// The item's file as it was offered. If it has grown since, no more of it is sent than there was then.
    package var sample: FileSample?

    package init(
        looking: Bool = false, hardLinks: Bool = false, attributes: Bool = false, sample: FileSample? = nil
    ) {
        self.sample = sample
        self.looking = looking
        self.hardLinks = hardLinks
        self.attributes = attributes
    }
}
