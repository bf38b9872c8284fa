/// A value of an attribute.
package enum ItemValue: Sendable {
    case string(String)
    case bool(Bool)
    case null
}
