/// Reason why a text is not a valid value, such as a port or a duration, in one sentence.
package struct ValueError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ sentence: String) { description = sentence }
}
