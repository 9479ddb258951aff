/// Reason why a text or a document is not a valid value, such as a port, a duration or a shared item, in one sentence.
package struct ValueError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ sentence: String) { description = sentence }
}
