/// Reason why a file of this device's state is invalid, as a clause for a person.
struct StoreDefect: Error {
    let reason: String
}
