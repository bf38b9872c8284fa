import Blueprint
import Glibc
import GraphQL
import Project
import Script
import Threads

/// One run of the program that a resource file is, with what it finds around it: the modules of Amplify, its own files, and
/// the environment. Everything else that it imports is opaque.
final class ProgramRun: ScriptHost {
    let files: ProgramFiles
    private let console: ProgramConsole
    private var hasBuffer = false
    let main: (file: String, bytes: [UInt8])
    /// What is odd about the program, and does not end it.
    var warnings: [TypeScriptError] = []
    /// Every call of `defineData`.
    var data: [DataBuilder] = []
    /// The schemas that were made, but for those that were combined.
    var schemas: [PlacedGiven] = []
    /// What programs see of builders.
    var objects: [ObjectIdentifier: HostObject] = [:]
    var kinds: [ObjectIdentifier: HostClass] = [:]
    /// What is known of functions that are opaque otherwise.
    private var functions: [ObjectIdentifier: (object: OpaqueObject, reference: FunctionReference)] = [:]
    /// The names of secrets, which are opaque otherwise.
    private var secrets: [ObjectIdentifier: (object: OpaqueObject, name: String)] = [:]
    /// What is found out about sign-in; nil when the program is run for its schema alone.
    var signIn: SignInRun?
    /// What a run for sign-in finds out about the schema on its way; nil: it is not asked for it.
    var schema: ProgramSchema?
    /// True while what `defineData` was given is read for the schema.
    var isReadingSchema = false
    private weak var realm: Realm?
    /// True if the program is one that calls `defineBackend`, which says what is served.
    var isBackend = false
    /// What `defineBackend` was given, where such a program is run for its schema.
    var assembled: Result<DataOptions?, TypeScriptError>?
    /// What builders refused, as the program may have passed it on.
    private var failures: [TypeScriptError] = []
    /// Whether the program, or a file that it imports, is no program.
    private(set) var isSyntaxWrong = false
    /// The statements that it did not come to.
    private(set) var lost: [LostStatement] = []
    /// How many more pieces a text that is put together may have.
    var piecesLeft = 0
    /// What a callback threw, on its way through the builder that called it.
    var pending: Thrown?

    init(_ file: String, _ bytes: [UInt8], _ files: ProgramFiles, _ console: ProgramConsole) {
        main = (file, bytes)
        self.files = files
        self.console = console
    }

    static func of(_ realm: Realm) throws(Thrown) -> ProgramRun {
        guard let run = realm.host as? ProgramRun else { throw realm.typeError("There is no program") }
        return run
    }

    var limits: ScriptLimits {
        var limits = ScriptLimits()
        limits.modules = files.limits.modulesMax
        limits.steps = files.limits.stepsMax
        limits.textLength = files.limits.textLengthMax
        limits.listLength = files.limits.elementsMax
        return limits
    }

    // MARK: Places and errors

    /// What the program gets of something that a builder refuses.
    func thrown(_ error: TypeScriptError, _ realm: Realm) -> Thrown {
        if let pending {
            self.pending = nil
            return pending
        }
        failures.append(error)
        return realm.error(.error, error.message)
    }

    /// Reads what a getter may give.
    func reading<Answer>(
        _ what: String, at position: Position, _ body: () throws(Thrown) -> Answer
    ) throws(TypeScriptError) -> Answer {
        do throws(Thrown) {
            return try body()
        } catch {
            pending = error
            throw TypeScriptError("\(what) cannot be read", at: position)
        }
    }

    /// Why the program did not come to its end.
    func error(_ error: ScriptError) -> TypeScriptError {
        if let known = failures.last(where: { error.message == "Error: \($0.message)" }) { return known }
        var position = files.position(error.file, error.place)
        // What ends in a module of ours, was called by the project.
        for call in error.trace where !position.isKnown { position = files.position(call.file, call.place) }
        if !position.isKnown { position = Position(offset: 0, source: 0) }
        return TypeScriptError(error.message, at: position, hint: error.hint ?? limitHint(error.kind))
    }

    private func limitHint(_ kind: ScriptError.Kind) -> String? {
        guard case .limit(let kind) = kind else { return nil }
        let limits = limits
        return switch kind {
        case .steps: "The limit is \(limits.steps) turns of loops and calls."
        case .callDepth: "The limit is \(limits.callDepth) calls in each other."
        case .nativeDepth: "The limit is \(limits.nativeDepth) modules, or functions of the library, in each other."
        case .memory: "The limit is \(limits.memoryBytes) bytes."
        case .textLength: "The limit is \(limits.textLength) characters."
        case .listLength: "The limit is \(limits.listLength) elements."
        case .loopTurns: "The limit is \(limits.loopTurns) turns of one loop."
        case .modules: "The limit is \(limits.modules) files."
        case .time: "The limit is \(limits.milliseconds) ms."
        }
    }

    func refusal(_ object: OpaqueObject, at position: Position) -> TypeScriptError {
        if let source = object.spreadOf { return refusal(source, at: position) }
        if let module = object.module, module.address.hasPrefix(Self.missing) {
            return TypeScriptError(
                "there is no such module, and \(needing) needs the value of \(object.fullOrigin)",
                at: files.position(module.place), hint: "Write the file, or correct its path.")
        }
        return TypeScriptError(
            "\(needing) needs the value of \(object.fullOrigin), which is known only when the app is deployed",
            at: position,
            hint: "Write the value itself, or take it from something that the project's own files say.")
    }

    /// Why something is not there whose file is not; nil: it comes of a file that is, or of a package.
    func refusalOfMissing(_ object: OpaqueObject) -> TypeScriptError? {
        guard let module = object.module, module.address.hasPrefix(Self.missing) else { return nil }
        return refusal(object, at: files.position(module.place))
    }

    /// What the program is run for.
    private var needing: String { signIn == nil || isReadingSchema ? "the schema" : "sign-in" }

    func remember(secret name: String, _ object: OpaqueObject) {
        secrets[ObjectIdentifier(object)] = (object, name)
    }

    func secret(_ object: OpaqueObject) -> String? { secrets[ObjectIdentifier(object)]?.name }

    /// Calls a function of the program in the midst of reading what it gave.
    func calling(_ function: ProgramObject, _ arguments: [ProgramValue]) throws(TypeScriptError) -> ProgramValue {
        do throws(Thrown) {
            return try function.realm.call(function, this: .undefined, arguments)
        } catch {
            throw self.error(function.realm.scriptError(error, file: main.file))
        }
    }

    func remember(_ reference: FunctionReference, _ object: OpaqueObject) {
        functions[ObjectIdentifier(object)] = (object, reference)
    }

    func reference(_ object: OpaqueObject) -> FunctionReference {
        functions[ObjectIdentifier(object)]?.reference ?? FunctionReference()
    }

    // MARK: The surroundings of the program

    func console(_ level: String, _ line: String) { console.write(line, from: realm?.callPlace) }

    /// A new place for the program to run in.
    func makeRealm() -> Realm {
        let realm = Realm(host: self, limits: limits)
        ProgramModules.addGlobals(to: realm, files.project)
        self.realm = realm
        return realm
    }

    func now() -> Double { Double(SystemClock.wall.milliseconds) }

    func random() -> Double { Double.random(in: 0..<1) }

    /// Before the addresses of modules that nothing is known of: those of packages, and files that are not there.
    private static let package = "package:"
    private static let missing = "missing:"

    func resolve(_ specifier: String, from referrer: String) throws(ScriptHostError) -> String {
        if referrer.isEmpty || ProgramModules.names.contains(specifier) { return specifier }
        if let module = WorkflowModules.address(of: specifier) ?? NodePrograms.address(of: specifier) { return module }
        if CommonJSNames.isAddress(specifier) { return specifier }
        if let file = files.file(of: specifier, from: referrer) { return file }
        if let module = NodeModules.address(of: specifier) { return module }
        guard ProgramFiles.isRelative(specifier) else { return Self.package + specifier }
        let path = ProgramFiles.join(ProgramFiles.folder(of: referrer), specifier)
        guard files.project.contains(path) else {
            throw ScriptHostError(
                "the module \(specifier) lies outside of the project \(files.project.root)",
                hint: "Keep what the schema needs below that folder.")
        }
        if let link = files.strayLink(at: path) { throw link.error(files.project) }
        return Self.missing + path
    }

    func part(_ name: String, of address: String) -> String? {
        guard address.utf8.elementsEqual((Self.package + CDKModules.whole).utf8), let part = CDKModules.part(name)
        else {
            return nil
        }
        return WorkflowModules.address(of: part) ?? Self.package + part
    }

    func load(_ address: String, isJSON: Bool, for realm: Realm) throws(ScriptHostError) -> ModuleSource {
        if address.hasPrefix(Self.package) { return .opaque(name: String(address.dropFirst(Self.package.utf8.count))) }
        if address.hasPrefix(Self.missing) { return .opaque(name: String(address.dropFirst(Self.missing.utf8.count))) }
        if let module = try WorkflowModules.load(address, realm) { return module }
        if let module = try NodePrograms.load(address, realm) { return module }
        if let names = CommonJSNames.exports(of: address, files.project, realm) { return .native(names) }
        if let exports = ProgramModules.exports(of: address, realm) { return .native(exports) }
        if let exports = NodeModules.exports(of: address, in: realm, files.project) { return .native(exports) }
        guard let bytes = address == main.file ? main.bytes : files.bytes(of: address) else {
            throw ScriptHostError("the file \(address) cannot be read")
        }
        let source = files.add(address, bytes)
        guard bytes.count <= files.limits.bytesMax else {
            throw ScriptHostError("\(address) has more than \(files.limits.bytesMax) bytes")
        }
        let text = String(decoding: source.bytes, as: UTF8.self)
        if text.contains(bytesOf: "Buffer") { addBuffer(to: realm) }
        if isJSON || address.hasSuffix(".json") { return .json(Array(text.utf16), hasNames: true) }
        let isPlain = [".js", ".mjs"].contains(where: address.hasSuffix)
        if CommonJSNames.areIn(source.bytes), files.isCommonJS(address),
            // A program that declares one of the names itself has its own.
            let program = try? Script.compile(
                text + CommonJSNames.statement(for: address), file: address,
                SyntaxOptions(goal: .module, isTypeScript: !isPlain))
        {
            return .program(program)
        }
        do throws(ScriptSyntaxError) {
            return .program(
                try Script.compile(text, file: address, SyntaxOptions(goal: .module, isTypeScript: !isPlain)))
        } catch {
            throw ScriptHostError(error, file: address)
        }
    }

    /// Gives programs that name it the global `Buffer`, before the first of them runs.
    private func addBuffer(to realm: Realm) {
        guard !hasBuffer else { return }
        hasBuffer = true
        guard let module = try? realm.module(NodePrograms.buffer), let buffer = try? module.get("Buffer") else {
            return
        }
        realm.global.put("Buffer", buffer)
    }

    func meta(_ address: String) -> [(name: String, value: String)] {
        let path = files.project.path(of: address)
        return [
            ("dirname", ProgramFiles.folder(of: path)), ("filename", path), ("url", FileAddress.address(of: path)),
        ]
    }

    func isDefaultWhole(of address: String, for referrer: String) -> Bool {
        [".ts", ".tsx", ".js"].contains(where: address.hasSuffix) && files.isCommonJS(address)
            && !files.isCommonJS(referrer)
    }

    func isMissing(_ address: String) -> Bool { address.hasPrefix(Self.missing) }

    /// Values of packages, where the schema depends on them.
    func isAnything(_ object: OpaqueObject, in realm: Realm) -> Bool {
        guard object.module != nil else { return false }
        guard signIn != nil else { return true }
        doubtSchema()
        return false
    }

    func importsForEffect(_ address: String, named specifier: String, at place: SourcePlace) {
        guard signIn == nil || isBeforeSchema, !HarmlessPackages.contain(address) else { return }
        warnings.append(
            TypeScriptError(
                "the package \"\(specifier)\" is not run here, so what importing it does is missing",
                at: files.position(place), hint: "Write what it does in the project's own files."))
    }

    func calls(_ function: OpaqueObject, _ arguments: [ProgramValue], in realm: Realm) throws(Thrown) {
        guard let signIn else { return try refuse(call: function, arguments, in: realm) }
        doubtSchema(byCall: function, arguments, in: realm)
        signIn.grants.takes(call: function, arguments)
        AspectCall(function, arguments)?.note(in: signIn, at: files.position(realm.callPlace))
        signIn.assignments.note(call: function, arguments, at: files.position(realm.callPlace))
        if case .member(let list, let name) = function.making, Self.listMethods.contains(name),
            case .object(let callback)? = arguments.first, callback.isCallable, !callback.isOpaque
        {
            signIn.note(list, .list, at: files.position(realm.callPlace))
            if !list.isListed, let word = UnreadParts.word(of: .object(callback)) {
                refuse("what is done here with each part of \(list.fullOrigin) speaks of \(word)", in: realm)
            }
        }
        if UnreadParts.denies(call: function, arguments) {
            refuse("`\(function.origin)()` denies something to somebody", in: realm)
        }
        if UnreadParts.boundsIdentities(function) {
            refuse("`\(function.origin)()` restricts a role of the identity pool", in: realm)
        }
    }

    /// Refuses the project for what restricts somebody and does not hold here.
    private func refuse(_ what: String, in realm: Realm) {
        signIn?.errors.add(
            TypeScriptError(
                "\(what), and does not hold here", at: files.position(realm.callPlace),
                hint: "Leave it out for a server of your own, and give fewer rights instead."))
    }

    func assigns(to object: OpaqueObject, _ name: String, in realm: Realm) {
        signIn?.assignments.note(object, name, at: files.position(realm.callPlace))
    }

    /// What calls a function of the program for each element of a list.
    private static let listMethods: Set<String> = [
        "forEach", "map", "flatMap", "filter", "reduce", "some", "every", "find",
    ]

    /// What `defineBackend` was given is known by then; what a deployment does behind it goes on without its loops.
    func passesOver(_ list: OpaqueObject, in realm: Realm) -> Bool {
        guard let signIn, signIn.backend != nil else { return false }
        signIn.note(list, .list, at: files.position(realm.callPlace))
        return true
    }

    func decides(_ object: OpaqueObject, isComparison: Bool, in realm: Realm) -> Bool? {
        guard let signIn, signIn.backend != nil else { return nil }
        if !isComparison, DeployedTruth.isKnown(object) { return true }
        let isTaken = !isComparison && DeployedTruth.isThere(object)
        let use: SignInRun.Unknown.Use = isComparison ? .comparison : .condition(taken: isTaken)
        signIn.note(object, use, at: files.position(realm.callPlace))
        return isTaken
    }

    func goesOn(without object: OpaqueObject, in realm: Realm) -> Bool { signIn?.backend != nil }

    func typeName(of object: OpaqueObject, in realm: Realm) -> String? {
        guard let signIn, signIn.backend != nil else { return nil }
        let name = DeployedTruth.typeName(of: object)
        if !DeployedTruth.isKnown(object) {
            signIn.note(object, .kind(taken: name), at: files.position(realm.callPlace))
        }
        return name
    }

    func constant(_ name: String, of object: OpaqueObject) -> String? { CDKConstants.text(name, of: object) }

    func makes(
        _ made: OpaqueObject, of kind: OpaqueObject, _ arguments: [ProgramValue], in realm: Realm
    ) throws(Thrown) {
        guard let signIn else { return try refuse(call: kind, arguments, in: realm) }
        doubtSchema(byCall: kind, arguments, in: realm)
        let construct = NewConstruct(made, of: kind, arguments)
        signIn.grants.takes(construct, signIn.functions)
        let isServed =
            signIn.functions.isDefining || signIn.functions.takes(construct, signIn)
            || signIn.messaging.takes(construct, signIn) || signIn.gateways.takes(construct)
            || signIn.dataSources.takes(construct, signIn) || signIn.channels.takes(construct, signIn, self)
        if let options = ConstructOptions.of(construct), isServed || options.isPart {
            options.check(arguments, of: "new \(options.name)()", signIn, self, realm)
        }
        if UnreadParts.denies(construct) {
            refuse("`new \(kind.origin)()` denies something to somebody", in: realm)
        }
        if !isServed { signIn.note(made: kind, at: files.position(realm.callPlace)) }
    }

    /// Runs the program for what it says of sign-in, and of the schema where it is asked for that; gives why it did not come to its
    /// end.
    func runForSignIn() -> TypeScriptError? {
        let realm = makeRealm()
        defer { forgetObjects() }
        var failure: TypeScriptError?
        do throws(ScriptError) {
            let namespace = try realm.module(main.file)
            readSchema(of: namespace, realm)
        } catch {
            failure = self.error(error)
            isSyntaxWrong = error.kind == .syntax
            lost = lostStatements(error)
        }
        for made in data { readOutline(of: made) }
        signIn?.settle(self)
        return failure
    }

    /// Lets go of the program's objects, which lead back to here.
    func forgetObjects() {
        console.endProgram()
        objects = [:]
        functions = [:]
        secrets = [:]
        signIn?.forgetObjects()
    }
}
