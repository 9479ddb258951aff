// A source that imports only CoreTransferable also has URL, Data and UTType, as on Apple's systems. Apple's Foundation
// also has the declarations of AppleConveniences, which Foundation on Linux lacks.
@_exported import AppleConveniences
@_exported import Foundation
@_exported import UniformTypeIdentifiers
