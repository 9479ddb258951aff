// A source that imports this module also has what CoreTransferable brings, which has this conformance on Apple's systems.
@_exported import CoreTransferable
