/// Shared parts of an item's staging.
struct StagingArea: Sendable {
    let place: ItemPlace
    let workspace: ItemWorkspace
    let ledger: ItemLedger
    let properties: EntryProperties
    let folders: StagedFolders

    /// - Parameter workspace: nil if none is needed yet.
    init(_ place: ItemPlace, _ workspace: Workspace?) {
        self.place = place
        self.workspace = ItemWorkspace(place, workspace)
        ledger = ItemLedger(required: place.required)
        properties = EntryProperties(place, ledger, self.workspace)
        folders = StagedFolders(place, ledger, self.workspace, properties)
    }

    var storage: any Storage { place.storage }
    var features: KernelFeatures { place.features }
    var maker: FileMaker { FileMaker(place: place) }
}
