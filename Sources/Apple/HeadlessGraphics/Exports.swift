// A source that imports this module alone can name `Transferable` and `UTType`, as with SwiftUI.
@_exported import CoreTransferable
