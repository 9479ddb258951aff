/// Publishes an item that is in the inbox already: nothing moves.
struct InPlaceItem: PublishingStrategy {
    let inbox: Descriptor
    let target: StoredTarget
    /// True if the item was brought up to date; false if it came twice.
    let isUpdate: Bool

    var name: FileName { target.name }
    func check() throws(FileError) { try target.checkIsThere(in: inbox) }

    func place(_ outcome: inout StoredOutcome) -> FileName { target.name }
}
