/// What a module asks for and gives, while it is read.
struct ModuleNames {
    struct Request: Hashable {
        var specifier: [UInt16]
        var isJSON: Bool
    }

    var requests: [Request: Int] = [:]
    /// Requests that are made whether or not anything that they give is used.
    var neededRequests: Set<Int> = []
    var exported: Set<Name> = []
    /// What `export { }` names before it need be declared.
    var exportedLocals: [(name: Name, place: Place)] = []
}
