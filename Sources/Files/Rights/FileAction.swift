/// What a rule allows, or does not.
package enum FileAction: Sendable, CaseIterable {
    /// To read an object, and what is known of it.
    case get
    /// To see what keys there are below a prefix.
    case list
    /// To make an object or to change it.
    case put
    case delete
}
