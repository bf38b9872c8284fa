/// A name of the language: of a variable, a property, a label. Equal names have equal numbers, so they are compared and
/// hashed as numbers everywhere behind the parser. What a number spells, its `NameNumbers` knows.
package struct Name: Hashable, Sendable {
    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }
}
