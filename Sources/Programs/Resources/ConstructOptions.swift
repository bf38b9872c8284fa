import Blueprint
import GraphQL
import Project
import Script

/// The options that a program gives constructs of the CDK which are served here: `new Queue(scope, id, { fifo: true })`. Each of them is
/// obeyed, means nothing here, or is reported with its place.
struct ConstructOptions: Sendable {
    /// The end of the module's name: `aws-sqs`.
    let modules: [String]
    let name: String
    /// The place of the options among the arguments of the constructor.
    var place = 2
    /// True if it is a part of something else: what calls a function, or what a rule calls.
    var isPart = false
    /// True if it says who may do what: then an option that is nearly one of them refuses the project.
    var saysRights = false
    let members: [Member]

    /// The use of an option here.
    enum Use: Sendable {
        /// It is obeyed, and reported where its value has another form.
        case obeyed(Form)
        /// It means nothing here, for this reason.
        case meaningless(String)
        /// It does not hold here and restricts nobody: that is reported, with this reason.
        case unserved(String)
        /// It restricts somebody and does not hold here: the project is refused.
        case refused(String)
    }

    /// The form of a value that can be read.
    enum Form: Sendable {
        case any
        case flag
        case text
        case number
        case duration
        case object
        case list
    }

    struct Member: Sendable {
        let name: String
        let use: Use

        init(_ name: String, _ use: Use) { (self.name, self.use) = (name, use) }
    }

    /// Options with one reason.
    static func all(_ names: String, _ use: Use) -> [Member] {
        names.split(separator: " ").map { Member(String($0), use) }
    }

    static func obeyed(_ names: String, _ form: Form = .any) -> [Member] { all(names, .obeyed(form)) }

    // MARK: Reports

    /// The constructs whose options are known.
    static let kinds = [
        queue, topic, bus, rule, schedule, plainSchedule, table, tableOfVersion2, plainTable, function, functionOfNode,
        functionOfPython, restAPI, restAPIOfFunction, httpAPI, eventAPI, namespace, queueSource, tableSource, mapping,
        functionTarget, queueTarget, machineTarget,
    ]

    /// The options of a construct, where it is one of these.
    static func of(_ construct: NewConstruct) -> ConstructOptions? {
        kinds.first { options in
            options.name == construct.name && options.modules.contains { construct.module.hasSuffix("/\($0)") }
        }
    }

    /// Looks at all options of a construct that a program makes.
    ///
    /// - Parameter construct: how messages call it: `new Queue()`.
    func check(
        _ arguments: [ProgramValue], of construct: String, _ signIn: SignInRun, _ run: ProgramRun, _ realm: Realm
    ) {
        guard arguments.indices.contains(place), let options = arguments[place].plain,
            let keys = try? options.enumerableKeys()
        else { return }
        let places = ArgumentPlaces(construct, run.files.position(realm.callPlace), run.files)
        for key in keys {
            let name = realm.describe(key)
            guard let value = try? options.get(key), !value.isNullish else { continue }
            let written = places.literals.indices.contains(place) ? places.literals[place].members[name]?.key : nil
            report(value, name, of: construct, at: places.position(written), signIn)
        }
    }

    /// The same of a method that a program calls.
    func check(_ arguments: [ProgramValue], of method: String, in realm: Realm) {
        guard let run = realm.host as? ProgramRun, let signIn = run.signIn else { return }
        check(arguments, of: method, signIn, run, realm)
    }

    private func report(
        _ value: ProgramValue, _ name: String, of construct: String, at position: Position, _ signIn: SignInRun
    ) {
        let path = "`\(name)` of `\(construct)`"
        guard let use = members.first(where: { $0.name == name })?.use else {
            let near = NearestName.of(name, in: members.map(\.name))
            if saysRights, let near {
                return signIn.errors.add(
                    TypeScriptError(
                        "`\(construct)` has no option `\(name)`", at: position, hint: "Did you mean \(near)?"))
            }
            return signIn.assignments.warn(
                "`\(construct)` has no option `\(name)`" + (near.map { "; is \($0) meant?" } ?? ""), at: position)
        }
        switch use {
        case .meaningless: return
        case .obeyed(let form):
            guard !form.isReadable(value) else { return }
            signIn.assignments.warn("\(path) cannot be read, so it does not hold here", at: position)
        case .unserved(let reason):
            if case .boolean(false) = value { return }
            signIn.assignments.warn("\(path) does not hold here: \(reason)", at: position)
        case .refused(let reason):
            if case .boolean(false) = value { return }
            signIn.errors.add(
                TypeScriptError(
                    "\(path) restricts somebody, and does not hold here: \(reason)", at: position,
                    hint: "Leave it out for a server of your own."))
        }
    }
}

extension ConstructOptions.Form {
    fileprivate func isReadable(_ value: ProgramValue) -> Bool {
        switch (self, value) {
        case (.any, _): true
        case (.flag, .boolean), (.text, .text), (.number, .number): true
        case (.duration, _): CDKDuration.seconds(value) != nil
        case (.list, .object(let list)): list is ScriptArray
        case (.object, .object(let object)): !object.isOpaque
        default: false
        }
    }
}
