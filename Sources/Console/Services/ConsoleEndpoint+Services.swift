import JSON
import Network

extension ConsoleEndpoint {
    /// Functions and the other services of the app.
    static let services: [ConsoleEndpoint] = [
        ConsoleEndpoint(.get, "/functions") { console, _ throws(ConsoleError) in
            .json(["functions": .array(try console.host.functionList.map(JSONValue.object))])
        },
        ConsoleEndpoint(.get, "/functions/*") { console, request throws(ConsoleError) in
            guard let function = try console.host.function(request.path[1]) else {
                throw .notFound("There is no function \(request.path[1]).")
            }
            return .json(.object(function))
        },
        ConsoleEndpoint(.post, "/functions/*/invoke") { console, request throws(ConsoleError) in
            let event = try request.members()["event"] ?? .object(JSONObject())
            let answer = try await console.host.invoke(request.path[1], JSONWriter.bytes(of: event))
            guard let answer else { throw .notFound("There is no function \(request.path[1]).") }
            console.audit.note("function.invoke", request.path[1], by: request)
            return .json(.object(answer))
        },
        ConsoleEndpoint(.post, "/services/*/*") { console, request throws(ConsoleError) in
            try await console.call(request)
        },
    ]
}

extension Console {
    /// A call of a service, by the service's own name for it.
    fileprivate func call(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let (name, call) = (request.path[1], request.path[2])
        guard let service = ConsoleService(rawValue: name) else {
            let all = ConsoleService.allCases.map(\.rawValue).joined(separator: ", ")
            throw .notFound("There is no service \(name): \(all).")
        }
        let isChange = service.changes.contains { ByteText($0) == ByteText(call) }
        guard isChange || service.readings.contains(where: { ByteText($0) == ByteText(call) }) else {
            let all = (service.readings + service.changes).joined(separator: ", ")
            throw .notFound("The console does not call \(call) of \(name): \(all).")
        }
        let input = JSONValue.object(try request.members().object)
        let answer = try await host.call(service, call, input, on: request.loop)
        if isChange {
            audit.note("\(name).\(call)", input[service.target]?.string ?? "", by: request)
        }
        return .json(.object(answer))
    }
}
