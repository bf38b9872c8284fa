import JSON
import Script

/// What all contexts in a realm have in common.
struct Shapes {
    let context: LentShape
    let channelContext: LentShape
    let info: LentShape

    init(_ realm: Realm) {
        context = ContextMembers.shape(realm, ContextMembers.ofFields)
        channelContext = ContextMembers.shape(realm, ContextMembers.ofChannels)
        info = InfoMembers.shape(realm)
    }
}

/// `ctx`, made of a `ResolverContext` as far as a handler looks at it.
final class ContextMembers: LentMembers {
    fileprivate enum Row: Int, CaseIterable {
        case arguments, args, source, identity, stash, result, prev, error, request, info, env, outErrors, events
    }

    /// What handlers of fields have, and those of channels: the number of each is its place.
    fileprivate static let ofFields = Array(Row.allCases.prefix { $0 != .events })
    fileprivate static let ofChannels = Row.allCases

    fileprivate static func shape(_ realm: Realm, _ rows: [Row]) -> LentShape {
        LentShape(realm, rows.map { LentShape.Row("\($0)", isFixed: $0 == .stash) })
    }

    let context: ResolverContext
    private let shapes: Shapes
    /// `args` and `arguments` are one object.
    private(set) var arguments: Value?
    /// The stash, if the handler has asked for it.
    private(set) var stash: Value?
    private var outErrors: ScriptArray?

    init(_ context: ResolverContext, _ shapes: Shapes) {
        self.context = context
        self.shapes = shapes
    }

    func fill(_ lent: LentObject) { lent.take(context.channel == nil ? shapes.context : shapes.channelContext) }

    func value(of number: Int, in realm: Realm) -> Value {
        guard let row = Row(rawValue: number) else { return .undefined }
        switch row {
        case .arguments, .args:
            if let arguments { return arguments }
            let value = realm.value(context.arguments)
            arguments = value
            return value
        case .source: return realm.value(context.source)
        case .identity: return realm.value(context.identity)
        case .stash:
            let value = realm.value(.object(context.stash))
            stash = value
            return value
        case .result: return context.result.map { realm.value($0) } ?? .undefined
        case .prev:
            return realm.value(.object(JSONObject(context.previous.map { [("result", $0)] } ?? [])))
        case .error:
            guard let error = context.error else { return .undefined }
            return realm.value(["message": .string(error.message), "type": error.type.map { .string($0) } ?? .null])
        case .request:
            return realm.value(
                context.request.isNull ? ["headers": [:], "domainName": nil] : context.request)
        case .events: return context.channel?.events.map { realm.value($0) } ?? .undefined
        case .info:
            if let channel = context.channel { return realm.value(channel.info) }
            return .object(LentObject(realm, InfoMembers(info: context.info, shape: shapes.info)))
        case .env: return realm.value(.object(context.environment))
        case .outErrors:
            let run = realm.host as? JavaScriptRun
            let list = realm.array(
                ContiguousArray((run?.outcome.outErrors ?? []).map { realm.value(Self.json($0)) }))
            outErrors = list
            return .object(list)
        }
    }

    /// What `util.appendError` adds is seen in `ctx.outErrors` from then on.
    func append(_ errors: ArraySlice<ResolverError>, in realm: Realm) throws(Thrown) {
        guard let outErrors else { return }
        for error in errors { try outErrors.append(realm.value(Self.json(error))) }
    }

    static func json(_ error: ResolverError) -> JSONValue {
        [
            "message": .string(error.message), "errorType": error.type.map { .string($0) } ?? .null,
            "data": error.data ?? .null, "errorInfo": error.info ?? .null,
        ]
    }
}

/// `ctx.info`, whose computed members `JSON.stringify` leaves out.
private struct InfoMembers: LentMembers {
    let info: ResolverInfo
    let shape: LentShape

    static func shape(_ realm: Realm) -> LentShape {
        LentShape(
            realm,
            [
                .init("fieldName"), .init("parentTypeName"), .init("variables"),
                .init("selectionSetList", isHidden: true), .init("selectionSetGraphQL", isHidden: true),
            ])
    }

    func fill(_ lent: LentObject) { lent.take(shape) }

    func value(of number: Int, in realm: Realm) -> Value {
        switch number {
        case 0: realm.value(info.fieldName)
        case 1: realm.value(info.parentTypeName)
        case 2: realm.value(info.variables)
        case 3: realm.value(.array(info.selectionSetList.map { .string($0) }))
        default: realm.value(info.selectionSetGraphQL)
        }
    }
}
