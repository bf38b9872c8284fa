import JSON
import Network
import Threads

/// The route for tests, over HTTP: on this machine, with the key.
struct TestControlRoute: Sendable {
    private let control: TestControl

    init(_ control: TestControl) { self.control = control }

    func reception(_ head: HTTPRequestHead, from peer: SocketAddress) -> HTTPReception {
        do throws(ErrorAnswer) {
            try admit(head, from: peer)
        } catch {
            return .answer(Self.response(error))
        }
        guard let place = TestPlace(head.path) else {
            let paths = TestPlace.paths.joined(separator: ", ")
            return .answer(Self.response(.test("There is nothing at \(head.path): there are \(paths).", status: 404)))
        }
        guard place.methods.contains(head.method) else {
            let methods = place.methods.map(\.rawValue)
            var answer = Self.response(
                .test("\(head.path) takes \(methods.joined(separator: " and ")), not \(head.methodText).", status: 405))
            answer.fields.append("allow", methods.joined(separator: ", "))
            return .answer(answer)
        }
        return .collect(bodyMax: place.bodyBytesMax) { request in
            do throws(ErrorAnswer) {
                let begin = MonotonicTime.now
                var json = try await answer(request, at: place)
                if place.isTimed(by: request.head.method) {
                    let microseconds = MonotonicTime.now.nanoseconds(since: begin) / 1_000
                    json.set("milliseconds", to: .double(Double(microseconds) / 1_000))
                }
                return Self.response(.ok, JSONWriter.bytes(of: .object(json)))
            } catch {
                return Self.response(error)
            }
        }
    }

    /// Nobody but a program of this machine gets as far as the key, and no page of another origin: it could not send the field.
    private func admit(_ head: HTTPRequestHead, from peer: SocketAddress) throws(ErrorAnswer) {
        guard RequestOrigin.isThisMachine(head, from: peer) else {
            throw .test(
                "\(TestPlace.folder) answers this machine alone, under localhost or 127.0.0.1, and no proxy.",
                status: 403)
        }
        guard let sent = head.fields["x-homeport-test-key"] else {
            throw .test(
                "Send the key as \(TestKey.field): it stands in what the server prints at its start, or in \(TestKey.variable).",
                status: 401)
        }
        guard control.key.matches(sent) else {
            throw .test(
                "\(TestKey.field) is not the key of this server, which it prints at its start: each start makes another one, "
                    + "unless \(TestKey.variable) sets it.", status: 403)
        }
    }

    private func answer(_ request: HTTPRequest, at place: TestPlace) async throws(ErrorAnswer) -> JSONObject {
        guard let parts = control.parts else { throw .test("The server is still starting: try again.", status: 503) }
        guard case .bytes(let body) = request.body else { throw .test("The body cannot be read.") }
        let method = request.head.method
        let parameters = try Parameters(request.head.query, of: place, by: method)
        switch place {
        case .reset: try await parts.data.reset()
        case .snapshot(let name) where method == .delete: try await parts.data.remove(name)
        case .snapshot(let name): try await parts.data.snapshot(name)
        case .restore(let name): try await parts.data.restore(name)
        case .snapshots: return Self.members(parts.data.json)
        case .seed:
            return Self.members(try await parts.data.seed(body, replaces: try parameters.flag("replace")))
        case .time:
            if method == .post {
                try control.time.change(try Self.json(body))
                parts.timeChanged()
            }
            return Self.members(control.time.json)
        case .faults:
            switch method {
            case .delete: return Self.removed(control.faults.removeAll())
            case .post: try control.faults.add(try Self.rules(body))
            default: break
            }
            return Self.members(control.faults.json)
        case .requests:
            guard method == .delete else { return Self.members(control.requests.json) }
            return Self.removed(control.requests.removeAll())
        case .worlds:
            guard method == .post else { return Self.members(try parts.ownWorlds().json) }
            return try await parts.ownWorlds().create(try WorldWish(body))
        case .world(let name):
            guard method == .delete else { return try parts.ownWorlds().description(of: name) }
            try await parts.ownWorlds().end(name)
        case .outbox:
            guard method == .get else { return Self.removed(try await parts.outbox.removeAll()) }
            return Self.members(
                try await parts.outbox.messages(
                    to: parameters["to"], waitMilliseconds: try parameters.wait, on: request.loop))
        }
        return JSONObject()
    }

    // MARK: What is sent

    private struct Parameters {
        private let values: [(name: String, value: String)]

        /// What a place does not know, or is told twice, is refused: a name that is written wrong would change what is done.
        init(_ query: String, of place: TestPlace, by method: HTTPMethod) throws(ErrorAnswer) {
            values = HTTPPercentCoding.parameters(of: query, plusIsSpace: false)
            let names = place.parameters(by: method)
            var given: Set<ByteText> = []
            for (name, _) in values {
                guard names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
                    let known = names.isEmpty ? "it takes none" : "it takes \(names.joined(separator: " and "))"
                    throw .test("There is no parameter \"\(name)\" here: \(known).")
                }
                guard given.insert(ByteText(name)).inserted else {
                    throw .test("The parameter \(name) is given twice.")
                }
            }
        }

        /// False where nothing is said.
        func flag(_ name: String) throws(ErrorAnswer) -> Bool {
            switch self[name] {
            case nil, "false"?: return false
            case "true"?: return true
            case let text?: throw .test("\(name) is true or false, not \"\(text)\".")
            }
        }

        subscript(name: String) -> String? { values.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }

        var wait: Int64 {
            get throws(ErrorAnswer) {
                guard let text = self["waitMilliseconds"] else { return 0 }
                guard let wait = Int64(text), (0...TestControlLimits.waitMillisecondsMax).contains(wait) else {
                    throw .test("waitMilliseconds is a number from 0 to \(TestControlLimits.waitMillisecondsMax).")
                }
                return wait
            }
        }
    }

    private static func json(_ body: [UInt8]) throws(ErrorAnswer) -> JSONValue {
        do throws(JSONError) { return try JSONReader.value(of: body) } catch {
            throw .test("The body is no JSON: \(error).")
        }
    }

    /// A list of rules, or one.
    private static func rules(_ body: [UInt8]) throws(ErrorAnswer) -> [FaultRule] {
        let json = try json(body)
        let values = json.array ?? json["rules"]?.array ?? [json]
        guard !values.isEmpty, values.count <= TestControlLimits.rulesMax else {
            throw .test("Send a list of 1 to \(TestControlLimits.rulesMax) rules.")
        }
        return try values.map { value throws(ErrorAnswer) in try FaultRule(value) }
    }

    // MARK: Answers

    private static func removed(_ count: Int) -> JSONObject { JSONObject([("removed", .integer(Int64(count)))]) }

    private static func members(_ value: JSONValue) -> JSONObject { value.object ?? JSONObject() }

    private static func response(_ status: HTTPStatus, _ body: [UInt8]) -> HTTPResponse {
        let fields = HTTPFieldLines(["content-type": "application/json", "cache-control": "no-store"])
        return HTTPResponse(status: status, fields: fields, body: .bytes(body))
    }

    private static func response(_ error: ErrorAnswer) -> HTTPResponse {
        error.response(HTTPFieldLines(["cache-control": "no-store"]))
    }
}

extension TestPlace {
    /// True if the answer tells how long it took.
    fileprivate func isTimed(by method: HTTPMethod) -> Bool {
        switch self {
        case .reset, .snapshot, .restore, .seed: true
        case .worlds: method == .post
        default: false
        }
    }
}
