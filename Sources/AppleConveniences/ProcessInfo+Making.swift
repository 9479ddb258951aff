import Foundation

/// The protocol that brings `ProcessInfo()`: an extension of the class itself cannot make one, since Foundation keeps its initialisers to itself.
public protocol ProcessInfoMaking {}

extension ProcessInfo: ProcessInfoMaking {}

extension ProcessInfoMaking where Self == ProcessInfo {
    /// `ProcessInfo()`: the information on this process, of which there is one.
    public init(_ process: Void = ()) { self = ProcessInfo.processInfo }
}
