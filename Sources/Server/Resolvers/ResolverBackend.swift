import Access
import Blueprint
import Cloud
import Engine
import Items
import JSON
import Language
import Network
import Synchronization

/// What resolvers of the app's own reach here, whatever the schema. The API is made before it can be reached, so it comes later.
final class ResolverBackend: Sendable {
    final class Parts: Sendable {
        let items: ItemService
        let events: ServiceTable
        let language: Language
        /// Where this server is: `http://127.0.0.1:20002`.
        let base: String
        /// With whose keys requests to itself are signed.
        let sources: SourceRoles
        /// The services of AWS that are served here, by their names in signatures.
        let services: Set<ByteText>

        init(
            items: ItemService, events: ServiceTable, language: Language, base: String,
            sources: SourceRoles, services: Set<ByteText>
        ) {
            self.items = items
            self.events = events
            self.language = language
            self.base = base
            self.sources = sources
            self.services = services
        }
    }

    private let state = Mutex<Parts?>(nil)

    func begin(_ parts: Parts) { state.withLock { $0 = parts } }

    /// Called when nothing is served any more, where something may be served again.
    func end() { state.withLock { $0 = nil } }

    /// Nil: the server is not ready yet.
    var parts: Parts? { state.withLock { $0 } }
}

/// What the resolvers of one schema work on: the tables, the functions, the buses of events, services over HTTP.
final class ProjectResolvers: ResolverServices {
    private let settings: ResolverSettings
    /// Of the models, whether their records have versions.
    private let models: [ByteText: Bool]
    private let backend: ResolverBackend
    let environment: JSONObject

    /// Hosts of the services that this server stands for.
    private static let cloud = ".amazonaws.com"

    init(_ settings: ResolverSettings, _ blueprint: Blueprint, _ backend: ResolverBackend) {
        self.settings = settings
        self.backend = backend
        models = Dictionary(
            texts: blueprint.models.map { ($0.name, $0.isSynced) }, uniquingKeysWith: { first, _ in first })
        environment = JSONObject(
            settings.environment.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    var apiID: String { TableName.apiID }

    // MARK: Sources

    func source(named name: String) -> ResolverSource? {
        if let setting = settings.sources[name] {
            return setting.source(named: name) { model in models[model].map { Self.table(of: model, $0) } }
        }
        if name.hasPrefix(EventAPISetting.functionMark) {
            return .function(String(name.dropFirst(EventAPISetting.functionMark.count)))
        }
        guard name.hasSuffix(CustomHandler.tableEnding) else { return nil }
        let model = String(name.dropLast(CustomHandler.tableEnding.count))
        return models[model].map { Self.table(of: model, $0) }
    }

    private static func table(of model: String, _ isVersioned: Bool) -> ResolverSource {
        .table(TableName.of(model), isVersioned: isVersioned)
    }

    /// The service that a data source signs requests for though nothing gives its role rights there; nil: it has some, or needs none.
    ///
    /// Language models are asked without a signature.
    func serviceWithoutRights(of name: String) -> String? {
        guard let setting = settings.sources[name], !setting.hasRights, let service = setting.signingService,
            let url = setting.endpoint.flatMap({ try? HTTPURL($0) }), url.host.hasSuffix(Self.cloud),
            !url.host.hasPrefix(Self.models), settings.endpoint(for: setting.endpoint ?? "") == nil
        else { return nil }
        return service
    }

    // MARK: Calls

    private static let unready = TableRefusal(type: "ServiceUnavailable", message: "The server is not ready yet.")

    func callTables(
        _ operation: String, _ request: JSONObject, isPlain: Bool, until end: Int64, at place: (any TablePlace)?
    ) async -> Result<JSONObject, TableRefusal> {
        guard let items = backend.parts?.items else { return .failure(Self.unready) }
        let given = place as? ItemShard
        let shard = given ?? ItemShard()
        defer { if given == nil { shard.close() } }
        do throws(ItemError) {
            do throws(ItemError) {
                return .success(
                    try await items.answer(operation, request, isPlain: isPlain, until: end, on: shard))
            } catch  where error.type == Self.missing && !settings.tables.isEmpty {
                // A table of the project's own is made when it is asked for first, if not before.
                await makeTables(in: items)
                return .success(
                    try await items.answer(operation, request, isPlain: isPlain, until: end, on: shard))
            }
        } catch {
            return .failure(Self.refusal(error))
        }
    }

    func callTablesNow(
        _ operation: String, _ request: JSONObject, isPlain: Bool, at place: any TablePlace
    ) -> Result<JSONObject, TableRefusal>? {
        guard let items = backend.parts?.items, let shard = place as? ItemShard else { return nil }
        do throws(ItemError) {
            return try items.answerNow(operation, request, isPlain: isPlain, on: shard).map { .success($0) }
        } catch  where error.type == Self.missing {
            // It may be one that is made when it is asked for first.
            return nil
        } catch {
            return .failure(Self.refusal(error))
        }
    }

    private static func refusal(_ error: ItemError) -> TableRefusal {
        let answer = ItemAnswer(error).object
        return TableRefusal(
            type: error.type, message: error.message, item: answer?["Item"]?.object,
            reasons: answer?["CancellationReasons"]?.array ?? [])
    }

    private static let missing = "ResourceNotFoundException"

    /// Makes the tables of the project's own that are not there yet.
    private func makeTables(in items: ItemService) async {
        for table in settings.tables {
            do throws(ItemError) { _ = try await table.keep(in: items) } catch { continue }
        }
    }

    func putEvents(_ request: JSONObject) async -> Result<JSONObject, TableRefusal> {
        guard let events = backend.parts?.events else { return .failure(Self.unready) }
        do throws(CloudError) {
            return .success(try await events.answer("PutEvents", .object(request)))
        } catch {
            return .failure(TableRefusal(type: error.type, message: error.message))
        }
    }

    // MARK: Language models

    private static let models = "bedrock-runtime."

    func answerHere(_ request: OutsideRequest) async -> OutsideResponse? {
        guard let url = try? HTTPURL(request.url), url.host.hasPrefix(Self.models), url.host.hasSuffix(Self.cloud)
        else { return nil }
        let rest = Self.rest(of: request.url)
        guard settings.endpoint(for: String(request.url.dropLast(rest.count))) == nil else { return nil }
        return await askModel(rest, request.body)
    }

    func askModel(_ path: String, _ body: [UInt8]) async -> OutsideResponse {
        func refusal(_ status: Int, _ type: String, _ message: String) -> OutsideResponse {
            OutsideResponse(
                status: status, fields: [("content-type", "application/json"), ("x-amzn-errortype", type)],
                body: JSONWriter.bytes(of: ["message": .string(message)]))
        }
        guard let language = backend.parts?.language else {
            return refusal(503, "ServiceUnavailableException", "The server is not ready yet.")
        }
        let decoded = HTTPPercentCoding.decoded((path.parts(separatedBy: "?").first ?? path).utf8)
        guard let place = LanguageRoute.place(of: decoded), !place.call.isStream else {
            return refusal(404, "UnknownOperationException", "\(path) is none of the operations that are served here.")
        }
        do throws(LanguageError) {
            let answer = try await language.answer(place.call, of: place.model, body, accept: "application/json")
            return OutsideResponse(status: 200, fields: [("content-type", answer.type)], body: answer.body)
        } catch {
            return refusal(error.status, error.type, error.message)
        }
    }

    // MARK: Addresses

    func outgoing(_ request: OutsideRequest, signing: ResolverSource.Signing?) -> OutsideRequest {
        var request = request
        guard let url = try? HTTPURL(request.url) else { return request }
        let rest = Self.rest(of: request.url)
        let origin = String(request.url.dropLast(rest.count))
        if let other = settings.endpoint(for: origin) {
            request.url = (other.hasSuffix("/") ? String(other.dropLast()) : other) + rest
            return request
        }
        guard let signing, let parts = backend.parts, parts.services.contains(ByteText(signing.service)),
            url.host.hasSuffix(Self.cloud), let own = try? HTTPURL(parts.base),
            let credentials = parts.sources.credentials(of: signing.source)
        else { return request }
        request.url = parts.base + rest
        request.fields = request.fields.map { (name: $0.name.lowercased(), value: $0.value) }
        let target = rest.parts(separatedBy: "?")
        let signer = RequestSigner(
            LanguageSettings.Credentials(
                accessKeyID: credentials.accessKeyID, secretAccessKey: credentials.secret,
                sessionToken: credentials.sessionToken),
            service: signing.service, region: signing.region)
        request.fields += signer.fields(
            of: own, method: request.method, path: target.first.map { $0.isEmpty ? "/" : $0 } ?? "/",
            query: target.count > 1 ? target[1].parts(separatedBy: "&").filter { !$0.isEmpty } : [], request.fields,
            request.body, now: .now)
        return request
    }

    /// The path and the query of a URL, as they stand there.
    private static func rest(of url: String) -> String {
        let parts = url.parts(separatedBy: "://")
        guard parts.count > 1, let scheme = parts.first else { return "" }
        let behind = url.utf8.dropFirst(scheme.utf8.count + 3)
        guard let slash = behind.firstIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(url[slash...])
    }
}

extension ItemShard: TablePlace {}
