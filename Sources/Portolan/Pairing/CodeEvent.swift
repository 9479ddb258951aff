/// What happens while a device waits for a code to be entered elsewhere, or looks for the one where it was made.
public enum CodeEvent: Sendable {
    /// It can be found by others from now on.
    case waiting(port: UInt16, discovery: String)
    /// The device where the code was made has been found.
    case found(address: String)
    /// A connection that came to nothing, such as a wrong code.
    case refused(address: String, reason: String)
    /// Something that its owner should know, such as why others cannot find this device.
    case warning(String)
}
