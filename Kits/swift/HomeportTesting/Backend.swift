import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where a server or a world is, and what a test may do with it.
public struct Backend: Sendable {
    /// The address, without a path.
    public let url: URL
    /// A key of the API; nil where it has none.
    public let apiKey: String?
    /// The key for what is below `/_homeport`.
    public let testKey: String?
    /// The content of `amplify_outputs.json`; nil where the API has no such file.
    public let outputs: Data?
    /// The environment variables of a program that should use it; nil: the variable should not be set.
    public let variables: [String: String?]
    /// The name of a world; nil: it is a server.
    let name: String?

    /// The address of its API.
    public var graphqlURL: URL { url.appendingPathComponent("graphql") }

    init(_ description: Data) throws {
        guard let json = try JSONSerialization.jsonObject(with: description) as? [String: Any],
            let text = json["url"] as? String, let url = URL(string: text)
        else { throw HomeportError("the server does not say where it is") }
        self.url = url
        name = json["name"] as? String
        apiKey = json["apiKey"] as? String
        testKey = json["testKey"] as? String
        outputs = try (json["outputs"] as? [String: Any]).map { try JSONSerialization.data(withJSONObject: $0) }
        variables = (json["variables"] as? [String: Any] ?? [:]).mapValues { $0 as? String }
    }

    /// Runs an operation with the API key, or with a user's token, and returns the answer as it is.
    public func graphql(_ query: String, variables: [String: any Sendable] = [:], token: String? = nil) async throws
        -> Data
    {
        var fields = ["content-type": "application/json"]
        if let token { fields["authorization"] = token } else if let apiKey { fields["x-api-key"] = apiKey }
        let body = try JSONSerialization.data(
            withJSONObject: ["query": query, "variables": variables] as [String: Any])
        return try await send("POST", "graphql", body, fields).content
    }

    /// Puts all data back to the start.
    public func reset() async throws { try await control("POST", "reset") }

    /// Keeps the present state under a name.
    public func snapshot(_ name: String) async throws { try await control("POST", "snapshot/\(name)") }

    /// Puts all data back to a snapshot.
    public func restore(_ name: String) async throws { try await control("POST", "restore/\(name)") }

    /// Sets the clock.
    public func setTime(_ date: Date) async throws {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
        try await control("POST", "time", Data("{\"set\": \(milliseconds)}".utf8))
    }

    /// Asks for something below `/_homeport`: docs/testing.md says what there is.
    @discardableResult
    public func control(_ method: String, _ path: String, _ body: Data? = nil) async throws -> Data {
        guard let testKey else { throw HomeportError("this server takes no orders of tests") }
        let (content, status) = try await send(method, "_homeport/\(path)", body, ["x-homeport-test-key": testKey])
        guard status == 200 else {
            let json = try? JSONSerialization.jsonObject(with: content) as? [String: Any]
            throw HomeportError(json?["message"] as? String ?? "\(method) \(path) answers \(status)")
        }
        return content
    }

    private func send(
        _ method: String, _ path: String, _ body: Data?, _ fields: [String: String]
    ) async throws -> (content: Data, status: Int) {
        guard let url = URL(string: "\(url.absoluteString)/\(path)") else { throw HomeportError("\(path) is no path") }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let (content, response) = try await URLSession.shared.data(for: request)
        return (content, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}

/// A server that does not start, or does not do what it is asked.
public struct HomeportError: Error, CustomStringConvertible {
    /// What went wrong.
    public let description: String

    init(_ description: String) { self.description = description }
}
