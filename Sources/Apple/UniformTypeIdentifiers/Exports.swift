// A source that imports only UniformTypeIdentifiers also gets URL, Data and Bundle, as on Apple's systems.
@_exported import Foundation
