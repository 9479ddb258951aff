// A source that imports this module also has CoreTransferable, which has this conformance on Apple's systems.
@_exported import CoreTransferable
