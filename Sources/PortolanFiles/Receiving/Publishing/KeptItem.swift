/// Publishes an item of which everything is in the inbox already: nothing moves.
struct KeptItem: PublishingStrategy {
    let inbox: Descriptor
    let target: StoredTarget

    var name: FileName { target.name }
    var isUpdate: Bool { true }

    func check() throws(FileError) { try target.checkIsThere(in: inbox) }

    func place(_ report: inout FidelityReport) -> FileName { target.name }
}
