/// Protocol that provides `ProcessInfo()`: an extension of the class cannot add an initialiser, because Foundation does
/// not publish any.
public protocol ProcessInfoMaking {}

extension ProcessInfo: ProcessInfoMaking {}

extension ProcessInfoMaking where Self == ProcessInfo {
    /// `ProcessInfo()`: the information on this process, a single object.
    public init(_ process: Void = ()) { self = ProcessInfo.processInfo }
}
