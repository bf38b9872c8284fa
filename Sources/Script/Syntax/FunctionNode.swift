/// A function of any kind as it stands in a file.
package final class FunctionNode {
    package enum Kind: Sendable {
        case normal, arrow, method, getter, setter
        case constructor, derivedConstructor
        /// The initializer of a class's field, whose body is one `return`, and a `static { }` block: both run as methods.
        case field, staticBlock
    }

    package var kind: Kind
    package var name: Name?
    package var isAsync = false
    package var isGenerator = false
    package var parameters: [ElementPattern] = []
    package var rest: Pattern?
    /// An arrow's expression is a `return` of it.
    package var body: [Statement] = []
    package var place: Place
    package var range: PlaceRange

    package init(kind: Kind, name: Name?, at place: Place, range: PlaceRange) {
        self.kind = kind
        self.name = name
        self.place = place
        self.range = range
    }
}

package final class ClassNode {
    package enum Element {
        case method(PropertyName, FunctionNode, isStatic: Bool)
        case getter(PropertyName, FunctionNode, isStatic: Bool)
        case setter(PropertyName, FunctionNode, isStatic: Bool)
        case field(PropertyName, FunctionNode?, isStatic: Bool)
        case staticBlock(FunctionNode)
    }

    /// Of `export default class {}` it is `*default*`, as with functions.
    package var name: Name?
    package var superclass: Expression?
    package var constructor: FunctionNode?
    package var elements: [Element] = []
    package var place: Place
    package var range: PlaceRange

    package init(name: Name?, at place: Place, range: PlaceRange) {
        self.name = name
        self.place = place
        self.range = range
    }
}
