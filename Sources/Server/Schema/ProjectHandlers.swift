import Blueprint
import GraphQL
import Glibc
import JSON
import Network
import Project

/// The resolvers that a Gen 1 project keeps beside its schema.
///
///     stacks/*.json                            attach code to fields, and say what it works on
///     resolvers/Query.friends.req.vtl          what they name; or in the place of what Amplify makes for an operation
///     resolvers/Query.listPosts.postAuth.1.req.vtl   a step before or behind that; also `.js`
///     resolvers/Query.thing.DataResolver.req.vtl     in the place of what Amplify makes to call what `@http` names
///     resolvers/InvokeEchoLambdaDataSource.req.vtl   in the place of what Amplify makes to call the function `echo`
///     pipelineFunctions/load.req.vtl           a function of a pipeline, or such a call
///
/// Those of subscriptions that do no more than pass on are left out.
struct ProjectHandlers {
    /// The schema is a file in the API's folder, or a folder in it.
    private static let folders = ["", "../"]
    private static let codeFolders = ["resolvers", "pipelineFunctions", "functions"]
    private static let stackFolder = "stacks"
    private static let subscription = "Subscription"
    private static let halves = ["req", "res"]
    private static let fileBytesMax = 64 << 10
    private static let stackBytesMax = 4 << 20

    private let base: String
    private var handlers: [CustomHandler] = []
    /// The files that stacks name.
    private var named: [String] = []

    static func handlers(beside folder: String) -> [CustomHandler] {
        var all: [CustomHandler] = []
        for name in folders {
            let base = folder == "." ? name : "\(folder)/\(name)"
            var found = ProjectHandlers(base: base)
            found.readStacks()
            found.readFiles()
            all += found.handlers
        }
        return all
    }

    /// The resolvers in the stacks of an API's folder.
    static func stacks(of folder: String, environment: String) -> StackResolvers {
        let templates = files(in: "\(folder)/\(stackFolder)").filter { $0.hasSuffix(".json") }.compactMap { file in
            (try? SmallFile.read("\(folder)/\(stackFolder)/\(file)", bytesMax: stackBytesMax)).flatMap {
                try? JSONReader.value(of: $0)
            }
        }
        return StackResolvers(templates, environment: environment)
    }

    private init(base: String) { self.base = base }

    // MARK: What stacks attach

    private mutating func readStacks() {
        let folder = base.isEmpty ? "." : base.hasSuffix("/") ? String(base.dropLast()) : base
        for attachment in Self.stacks(of: folder, environment: "").attachments {
            func handler(_ step: StackResolvers.Step, _ role: CustomHandler.Role) -> CustomHandler {
                var handler = CustomHandler(
                    typeName: attachment.typeName, fieldName: attachment.fieldName,
                    dataSource: Self.source(step.dataSource), entry: entry(of: step), code: code(of: step))
                handler.role = role
                handler.batchMax = step.batchMax
                return handler
            }
            guard let functions = attachment.functions else {
                handlers.append(handler(attachment.own, .unit))
                continue
            }
            handlers.append(handler(attachment.own, .around))
            handlers += functions.map { handler($0, .function) }
        }
    }

    private static func source(_ name: String) -> String { name == "NONE" ? CustomHandler.noSource : name }

    private mutating func entry(of step: StackResolvers.Step) -> String {
        for case .file(let file)? in [step.code, step.request, step.response] { return "resolvers/\(file)" }
        return Self.stackFolder + (step.code == nil ? ".vtl" : ".js")
    }

    private mutating func code(of step: StackResolvers.Step) -> HandlerCode {
        var missing: String?
        func text(_ given: StackResolvers.Text?) -> String? {
            switch given {
            case nil: return nil
            case .written(let text)?: return text
            case .file(let file)?:
                named.append(file)
                guard let text = contents(file) else {
                    missing = file
                    return nil
                }
                return text
            }
        }
        let code: HandlerCode
        if let written = text(step.code) {
            code = .javaScript(written, isTypeScript: false)
        } else {
            code = .velocity(request: text(step.request), response: text(step.response))
        }
        return missing.map { .missing("there is no file \($0) that can be read") } ?? code
    }

    private func contents(_ file: String) -> String? {
        for folder in Self.codeFolders {
            if let bytes = try? SmallFile.read("\(base.slashed)\(folder)/\(file)", bytesMax: Self.fileBytesMax) {
                return String(decoding: bytes, as: UTF8.self)
            }
        }
        return nil
    }

    // MARK: What their names attach

    private struct Place: Hashable {
        let typeName: String
        let fieldName: String
        let role: CustomHandler.Role
    }

    private mutating func readFiles() {
        var order: [Place] = []
        var found: [Place: (request: String?, response: String?, entry: String)] = [:]
        for (folder, file) in filesByName() where !named.contains(where: { $0 == file }) {
            guard let (place, isRequest) = Self.place(of: file),
                folder == Self.codeFolders[0] || place.role == .invocation
            else { continue }
            let text = contents(file)
            if place.typeName == Self.subscription, let text,
                PassingTemplate.isProven(Array(text.utf8), isRequest: isRequest)
            {
                continue
            }
            if found[place] == nil { order.append(place) }
            var known = found[place] ?? (nil, nil, "\(folder)/\(file)")
            if isRequest { known.request = text ?? "" } else { known.response = text ?? "" }
            found[place] = known
        }
        for place in order {
            guard let texts = found[place] else { continue }
            let isScript = texts.entry.hasSuffix(".js")
            var handler = CustomHandler(
                typeName: place.typeName, fieldName: place.fieldName, dataSource: Self.dataSource(of: place.role),
                entry: texts.entry,
                code: isScript
                    ? .javaScript(texts.request ?? texts.response ?? "", isTypeScript: false)
                    : .velocity(request: texts.request, response: texts.response))
            handler.role = place.role
            handlers.append(handler)
        }
    }

    /// Those that are attached by their names, each with its folder.
    private func filesByName() -> [(folder: String, file: String)] {
        Self.codeFolders.prefix(2).flatMap { folder in
            Self.files(in: "\(base.slashed)\(folder)").map { (folder, $0) }
        }
    }

    /// Steps of slots work on no data; what a file in the place of Amplify's own works on is that operation's.
    private static func dataSource(of role: CustomHandler.Role) -> String {
        if case .slot = role { CustomHandler.noSource } else { "" }
    }

    /// `Query.friends.req.vtl`, `Query.listPosts.postAuth.1.req.vtl`, `InvokeEchoLambdaDataSource.req.vtl`; nil: it is another
    /// function, which belongs to no field by its name.
    private static func place(of file: String) -> (Place, isRequest: Bool)? {
        var parts = file.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 3, let ending = parts.popLast(), ending == "vtl" || ending == "js" else { return nil }
        if parts.count == 2, halves.contains(where: { $0 == parts[1] }), ending == "vtl" {
            guard GeneratedCall.isName(parts[0]) else { return nil }
            return (
                Place(typeName: "", fieldName: parts[0], role: .invocation), parts[1].utf8.elementsEqual(halves[0].utf8)
            )
        }
        guard !halves.contains(where: { $0 == parts[1] }) else { return nil }
        var isRequest = true
        if let half = parts.last, halves.contains(where: { $0 == half }) {
            isRequest = half == halves[0]
            parts.removeLast()
        }
        guard parts.count >= 2 else { return nil }
        var role = CustomHandler.Role.main
        if parts.count == 3, parts[2].utf8.elementsEqual(CustomHandler.serviceMark.utf8), ending == "vtl" {
            role = .service
        } else if parts.count == 4, let slot = CustomHandler.Slot(rawValue: parts[2]), let number = Int(parts[3]) {
            role = .slot(slot, number: number)
        } else if parts.count != 2 {
            return nil
        }
        return (Place(typeName: parts[0], fieldName: parts[1], role: role), isRequest)
    }

    private static func files(in folder: String) -> [String] {
        FolderContent.names(in: folder, max: SchemaPlace.filesMax).sorted()
    }
}

// MARK: Files without effect

extension ProjectHandlers {
    /// Files in the place of what Amplify makes, for fields for which it makes nothing and no stack attaches anything: they are uploaded, and
    /// nothing runs them. A field of a nested type is then a part of its record.
    ///
    /// Those of subscriptions are not among them: what such a file says of who may listen is not passed over.
    static func unused(_ handlers: [CustomHandler], in blueprint: Blueprint?) -> [CustomHandler] {
        guard let blueprint, handlers.contains(where: isAlone) else { return [] }
        var unused: [CustomHandler] = []
        func look(_ type: String, _ field: String, _ resolver: FieldResolver?) {
            guard case .scripts(let steps)? = resolver, steps.contains(where: isAlone) else { return }
            unused += handlers.filter { isAlone($0) && $0.typeName == type && $0.fieldName == field }
        }
        let subscriptions = blueprint.roots.name(of: .subscription)
        for type in blueprint.types where type.kind == .object && type.name != subscriptions {
            for field in type.fields { look(type.name, field.name, field.resolver) }
        }
        for model in blueprint.models {
            for field in model.fields { look(model.name, field.name, field.resolver) }
        }
        let changed = [OperationType.query, .mutation].flatMap { operation in
            let type = blueprint.roots.name(of: operation)
            return (blueprint.overriddenOperations[operation] ?? []).map { (type, $0.name) }
        }
        return unused.filter { handler in !changed.contains { $0 == handler.typeName && $1 == handler.fieldName } }
    }

    private static func isAlone(_ handler: CustomHandler) -> Bool {
        handler.role == .main && handler.dataSource.isEmpty && handler.directiveSource == nil
    }

    static func warning(ofUnused handler: CustomHandler) -> Diagnostic {
        let field = "\(handler.typeName).\(handler.fieldName)"
        return Diagnostic(
            severity: .warning,
            message:
                "\(handler.entry) has no effect: Amplify makes no resolver for \(field), and no stack attaches one",
            hint: "Remove the file, or attach it to the field in stacks/CustomResources.json.")
    }
}

extension String {
    /// With a slash at its end, where it is not empty.
    fileprivate var slashed: String { isEmpty || hasSuffix("/") ? self : self + "/" }
}
