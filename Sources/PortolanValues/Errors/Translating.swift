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
