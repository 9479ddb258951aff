/// Options of walking a source.
package struct SourceOptions: Hashable, Sendable {
    /// True to return entries without opening their files; a file is opened when its content is wanted
    /// (``SourceEntry/open()``), as in a transfer whose receiver has most of it.
    package var looking = false
    /// True to return a file with several names inside the item once; its other names are hard links to it.
    package var hardLinks = false
    /// True to return extended attributes of files and folders.
    package var attributes = false
    /// Sample of the item's file from the offer. If the file has grown since, only the earlier part is sent.
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
