// As SwiftUI does: a source that imports this module alone can say `Transferable` and `UTType`.
@_exported import CoreTransferable
