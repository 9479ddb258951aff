/// Why a text is no value of what it was given for, such as a port or a length of time, in one sentence.
package struct ValueError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ sentence: String) { description = sentence }
}
