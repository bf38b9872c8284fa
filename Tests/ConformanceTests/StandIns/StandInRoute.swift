import JSON
import Network

/// A route of an HTTP server that a schema names, and what it answers.
struct StandInRoute: Sendable {
    private let method: String
    /// A path, or the beginning of some.
    private let path: String
    private let isPrefix: Bool
    private let status: Int
    /// What it answers; without it, it answers what it was asked.
    private let json: JSONValue?
    private let shownHeaders: [String]

    /// What an HTTP server was asked.
    struct Call {
        let method: String
        let path: String
        let query: String
        let fields: HTTPFields
        let body: [UInt8]
    }

    static func routes(_ server: CaseFields) throws(CaseFormError) -> [StandInRoute] {
        try server.expectOnly(["routes"])
        var routes: [StandInRoute] = []
        for value in try server.array("routes") { routes.append(try StandInRoute(CaseFields(value, "a route"))) }
        return routes
    }

    private init(_ fields: CaseFields) throws(CaseFormError) {
        try fields.expectOnly(["method", "path", "status", "json", "echoHeaders"])
        method = try fields.text("method", or: "GET")
        let pattern = try fields.text("path")
        isPrefix = pattern.hasSuffix("*")
        path = isPrefix ? String(pattern.dropLast()) : pattern
        guard !path.contains("*") else { throw CaseFormError("the path \(pattern) has a * that is not its end") }
        status = try fields.integer("status", or: 200)
        json = fields.members["json"]
        shownHeaders = try fields.texts("echoHeaders")
    }

    func takes(_ call: Call) -> Bool {
        call.method == method && (isPrefix ? call.path.hasPrefix(path) : call.path == path)
    }

    func answer(to call: Call) -> (status: Int, value: JSONValue) {
        if let json { return (status, json) }
        let query = HTTPPercentCoding.parameters(of: call.query).map { ($0.name, JSONValue.string($0.value)) }
        let text = String(decoding: call.body, as: UTF8.self)
        let body = call.body.isEmpty ? .null : (try? JSONReader.value(of: call.body)) ?? .string(text)
        let headers = shownHeaders.map { name in
            let value = call.fields.values(of: name.lowercased()).first.map(JSONValue.string) ?? .null
            return (name.lowercased().replacing("-", with: "_"), value)
        }
        return (
            status,
            [
                "method": .string(call.method), "path": .string(call.path), "query": .object(JSONObject(query)),
                "body": body, "headers": .object(JSONObject(headers)),
            ]
        )
    }
}
