// A source that imports only CoreTransferable has URL, Data and UTType by it, as on Apple's systems.
@_exported import Foundation
@_exported import UniformTypeIdentifiers
