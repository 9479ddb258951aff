/// Value of an expression whose error becomes an error of another type.
///
/// - Throws: the error that `translate` makes.
@inlinable
package func translating<Value: ~Copyable, Failure: Error, Translated: Error>(
    _ value: @autoclosure () throws(Failure) -> Value, _ translate: (Failure) -> Translated
) throws(Translated) -> Value {
    do throws(Failure) {
        return try value()
    } catch {
        throw translate(error)
    }
}

/// Value of an expression that cannot fail here.
///
/// - Parameter reason: said if it fails all the same, which ends the program.
@inlinable
package func certain<Value: ~Copyable>(_ value: @autoclosure () throws -> Value, _ reason: String) -> Value {
    do {
        return try value()
    } catch {
        preconditionFailure("\(reason): \(error)")
    }
}
