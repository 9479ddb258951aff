extension DeviceName {
    /// Name that a person gives to a device, so that `--to` finds the device by it.
    ///
    /// Peers choose their own names. A peer whose name has another meaning on a command line is found by its
    /// fingerprint.
    ///
    /// - Throws: `ValueError` for what is no name, or means a team, an address or a fingerprint.
    package static func given(_ text: String) throws(ValueError) -> DeviceName {
        let name = try translating(DeviceName(text)) { (error: DeviceNameError) in ValueError(error.description) }
        if TeamTarget.names(name.text) {
            throw ValueError("“\(name)” cannot be a device's name, for --to takes what begins with @ for a team.")
        }
        if case .address = Target(name.text) {
            throw ValueError("“\(name)” cannot be a device's name, for --to takes it for an address.")
        }
        if Fingerprint(parsing: name.text) != nil {
            throw ValueError("“\(name)” cannot be a device's name, for --to takes it for a fingerprint.")
        }
        return name
    }
}
