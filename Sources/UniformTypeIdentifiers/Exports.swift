// A source that imports only UniformTypeIdentifiers has URL, Data and Bundle by it, as on Apple's systems.
@_exported import Foundation
