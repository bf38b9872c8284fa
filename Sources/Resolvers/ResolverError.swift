import JSON

/// An error as `util.error` makes it, or a fault of the code.
package struct ResolverError: Error, Sendable, Equatable {
    package var message: String
    /// `errorType` of the answer; nil is null there.
    package var type: String?
    package var data: JSONValue?
    /// `errorInfo` of the answer.
    package var info: JSONValue?
    /// Where in the code, for faults.
    package var place: ResolverPlace?
    /// `util.unauthorized()`: the server answers with its own words for the field.
    package var isUnauthorized = false
    /// The code itself failed; `type` is `Code` or `MappingTemplate` then.
    package var isFault = false
    /// A fault that came of the time that the code may take.
    var isOutOfTime = false

    package init(
        _ message: String, type: String? = nil, data: JSONValue? = nil, info: JSONValue? = nil,
        place: ResolverPlace? = nil, isUnauthorized: Bool = false, isFault: Bool = false
    ) {
        self.message = message
        self.type = type
        self.data = data
        self.info = info
        self.place = place
        self.isUnauthorized = isUnauthorized
        self.isFault = isFault
    }

    /// `{message, type or errorType, data, errorInfo}`
    package init(json: JSONValue) {
        self.init(
            json["message"]?.string ?? "", type: json["type"]?.string ?? json["errorType"]?.string,
            data: json["data"], info: json["errorInfo"])
    }
}

/// A place in a resolver's code. Both count from 1.
package struct ResolverPlace: Sendable, Equatable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
