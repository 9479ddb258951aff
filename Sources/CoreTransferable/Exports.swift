// A source that imports only CoreTransferable has URL, Data and UTType by it, as on Apple's systems. There it also has the
// parts of Foundation that are missing on Linux; AppleConveniences has those.
@_exported import AppleConveniences
@_exported import Foundation
@_exported import UniformTypeIdentifiers
