import JSON

/// The field that a handler answers for: `ctx.info`.
package struct ResolverInfo: Sendable {
    package var fieldName = ""
    package var parentTypeName = ""
    package var variables: JSONValue = .object(JSONObject())
    /// Paths of what was selected, `author/name`, in the order of the query. A member that is computed: `JSON.stringify` leaves it out.
    package var selectionSetList: [String] = []
    /// The selection as it was written. Computed as well.
    package var selectionSetGraphQL = ""

    package init() {}

    package init(json: JSONValue) {
        fieldName = json["fieldName"]?.string ?? ""
        parentTypeName = json["parentTypeName"]?.string ?? ""
        if let given = json["variables"], given.object != nil { variables = given }
        selectionSetList = (json["selectionSetList"]?.array ?? []).compactMap(\.string)
        selectionSetGraphQL = json["selectionSetGraphQL"]?.string ?? ""
    }
}
