/// Names that the parser, the interpreter or the library know. Their numbers are the same in every table.
package enum WellKnownName: String, CaseIterable {
    case empty = ""
    case `default`
    case starDefault = "*default*"
    case constructor
    case prototype
    case proto = "__proto__"
    case length
    case name
    case message
    case value
    case done
    case next
    case `return`
    case `throw`
    case then
    case get
    case set
    case arguments
    case eval
    case this
    case undefined
    case `super`
    case privateConstructor = "#constructor"
}

extension Name {
    /// A table gives numbers in the order of the cases, which is how an enumeration without payloads is stored.
    @inline(__always)
    package static func known(_ name: WellKnownName) -> Name {
        Name(number: Int32(unsafeBitCast(name, to: UInt8.self)))
    }
}
