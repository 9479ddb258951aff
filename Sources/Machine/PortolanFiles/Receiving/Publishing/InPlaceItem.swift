/// Publishes an item that is already stored in the inbox: nothing moves.
struct InPlaceItem: PublishingStrategy {
    let inbox: Descriptor
    let target: StoredTarget
    /// True if the item was updated; false if it was sent a second time.
    let isUpdate: Bool

    var name: FileName { target.name }
    func check() throws(FileError) { try target.checkIsThere(in: inbox) }

    func place(_ outcome: inout StoredOutcome) -> FileName { target.name }
}
