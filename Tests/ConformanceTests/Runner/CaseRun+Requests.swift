import JSON
import TestSupport

extension CaseRun {
    func send(_ request: Step.Request) throws {
        var body = JSONObject([
            ("query", .string(names.filled(request.query))), ("variables", try names.filled(request.variables)),
        ])
        if let name = request.operationName { body["operationName"] = .string(name) }
        let text = JSONWriter.text(of: .object(body))
        let fields = try fields(of: request.caller, "/graphql", text, [("content-type", "application/json")])
        let answer = try HTTPAnswer(to: "POST", "/graphql", fields, text, at: server.port)
        guard answer.head.status == request.status else {
            throw Mismatch(path("status"), "\(request.status)", "\(answer.head.status) \(answer.body)")
        }
        try check(answer.json(), request.expectation)
    }

    func check(_ response: JSONValue, _ expectation: Step.Expectation) throws(Mismatch) {
        let matcher = Matcher(names.values)
        let errors = response["errors"]
        if expectation.errors == nil, let errors, !errors.isNull, errors != [] {
            throw Mismatch(path("errors"), "none", JSONWriter.text(of: errors))
        }
        if let data = expectation.data {
            try matcher.check(response["data"] ?? .null, data, at: path("data"), isExact: true)
        }
        if let expected = expectation.errors { try matcher.check(errors ?? .null, expected, at: path("errors")) }
        try names.keep(expectation.saved, of: response)
    }

    func run(_ exchange: Step.Exchange) throws {
        let names = try allNames()
        let body = try names.filled(exchange.body)
        let text = body.isNull ? "" : body.string ?? JSONWriter.text(of: body)
        let place = names.filled(exchange.path)
        var fields = Self.fields(try names.filled(exchange.headers))
        if let caller = exchange.caller { fields = try self.fields(of: caller, place, text, fields) }
        let answer = try HTTPAnswer(to: exchange.method, place, fields, text, at: server.port)
        let matcher = Matcher(self.names.values)
        if let status = exchange.status {
            try matcher.check(.integer(Int64(answer.head.status)), status, at: path("status"))
        }
        for member in exchange.expectedHeaders {
            let got = answer.head.fields[member.key.lowercased()].map(JSONValue.string)
            try matcher.check(got ?? .null, member.value, at: path("headers").appending(member.key))
        }
        if let json = exchange.json { try matcher.check(answer.json(), json, at: path("json")) }
        if let text = exchange.text { try matcher.check(.string(answer.body), text, at: path("text")) }
        if !exchange.saved.isEmpty { try self.names.keep(exchange.saved, of: answer.json()) }
    }

    static func fields(_ object: JSONObject) -> [(name: String, value: String)] {
        object.map { ($0.key, $0.value.string ?? JSONWriter.text(of: $0.value)) }
    }
}
