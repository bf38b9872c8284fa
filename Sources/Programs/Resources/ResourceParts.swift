import Blueprint
import GraphQL
import Project
import Script

/// The resource of CloudFormation under a construct of the CDK, which programs come to by `construct.node.defaultChild`. It keeps what
/// they assign to its properties and what they override by the names of a template:
///
///     const cfn = backend.mailer.resources.lambda.node.defaultChild as CfnFunction;
///     cfn.timeout = 60;
///     cfn.addPropertyOverride('Environment.Variables.LIMIT', '5');
final class ResourcePart {
    /// What programs see of it.
    let object: OpaqueObject
    private(set) var overrides: [Override] = []

    /// A property by its path of names, and its value; nil: it is taken away.
    struct Override {
        let path: [String]
        let value: ProgramValue?
    }

    static let overridesMax = 1_000

    init(_ object: OpaqueObject) { self.object = object }

    func add(_ override: Override) {
        if overrides.count < Self.overridesMax { overrides.append(override) }
    }

    /// What the program has said of a property, in the CDK's spelling, an override before an assignment; nil: nothing.
    func value(_ name: String) -> ProgramValue? {
        let known = overrides.last { $0.path.count == 1 && DeployedPool.propertyName($0.path[0]) == name }
        if let known { return known.value ?? .undefined }
        guard object.assignedKeys.contains(where: { object.realm.describe($0) == name }) else { return nil }
        return try? object.get(name)
    }

    func text(_ name: String) -> String? { value(name)?.text }

    func whole(_ name: String) -> Int? { value(name).flatMap(KnownFlag.number).flatMap { Int(exactly: $0) } }
}

/// All of those of a program.
final class ResourceParts {
    private var parts: [ResourcePart] = []
    private static let countMax = 10_000
    private static let depthMax = 16

    func forgetObjects() { parts = [] }

    /// The part under a construct, which the program finds as the child of its node.
    ///
    /// - Parameter origin: how messages call it.
    func part(of construct: OpaqueObject, _ origin: String) -> ResourcePart {
        let object = OpaqueObject(construct.realm, origin: origin, from: construct.module)
        Self.attach(object, to: construct)
        return part(object)
    }

    /// Something that is such a part itself: `new CfnSchedule(...)`.
    func part(_ object: OpaqueObject) -> ResourcePart {
        let part = ResourcePart(object)
        if parts.count < Self.countMax { parts.append(part) }
        for (number, (name, prefix)) in DeployedPool.overrideMethods.enumerated() {
            object.put(name, Self.override(name, behind: prefix, isDeletion: number > 1, object.realm))
        }
        return part
    }

    /// Lets a program find a part as the child of a construct.
    static func attach(_ part: OpaqueObject, to construct: OpaqueObject) {
        let node = construct.putMember("node")
        node.put("defaultChild", .object(part))
        for finder in ["findChild", "tryFindChild"] {
            node.put(
                finder,
                .object(
                    construct.realm.function(finder, length: 1) { call throws(Thrown) in
                        if case .text(let id) = call[0], id.string == "Resource", case .object(let node) = call.this {
                            return try node.get("defaultChild")
                        }
                        guard let node = call.this.opaque else { return .undefined }
                        let other = OpaqueObject(
                            call.realm, origin: "\(node.origin).\(finder)", from: node.module, by: .member(node, finder)
                        )
                        return try call.realm.call(other, this: call.this, call.arguments)
                    }))
        }
    }

    private static func override(
        _ name: String, behind prefix: String, isDeletion: Bool, _ realm: Realm
    ) -> ProgramValue {
        .object(
            realm.function(name, length: 2) { call throws(Thrown) in
                let run = try ProgramRun.of(call.realm)
                guard let signIn = run.signIn, let object = call.this.opaque, case .text(let text) = call[0],
                    let path = PropertyPath.names(in: text.string, behind: prefix), path.count <= depthMax
                else { return .undefined }
                let value = isDeletion || call[1].isUndefined ? nil : call[1]
                var leaves: [ResourcePart.Override] = []
                try addLeaves(path, value, to: &leaves, call.realm)
                for override in leaves {
                    guard let first = override.path.first else { continue }
                    signIn.assignments.note(
                        object, DeployedPool.propertyName(first), at: run.files.position(call.realm.callPlace))
                    signIn.parts.add(override, to: object)
                }
                return .undefined
            })
    }

    private func add(_ override: ResourcePart.Override, to object: OpaqueObject) {
        parts.first { $0.object === object }?.add(override)
    }

    /// The members of an object are overridden one by one, as the CDK does it.
    private static func addLeaves(
        _ path: [String], _ value: ProgramValue?, to leaves: inout [ResourcePart.Override], _ realm: Realm
    ) throws(Thrown) {
        guard leaves.count < ResourcePart.overridesMax, path.count <= depthMax else {
            throw realm.rangeError("An override has more than \(ResourcePart.overridesMax) values")
        }
        guard case .object(let object)? = value, !object.isOpaque, !object.isCallable, !(object is ScriptArray) else {
            return leaves.append(ResourcePart.Override(path: path, value: value))
        }
        for key in try object.enumerableKeys() {
            try addLeaves(path + [realm.describe(key)], try object.get(key), to: &leaves, realm)
        }
    }
}

/// The names in the path of an override: `Environment.Variables.X`. A point behind a backslash is one of a name.
enum PropertyPath {
    /// The names behind the beginning of a path, `Properties.`; nil: it does not begin so. All properties have the path of none.
    static func names(in path: String, behind prefix: String) -> [String]? {
        if !prefix.isEmpty, path == String(prefix.dropLast()) { return [] }
        return path.hasPrefix(prefix) ? names(in: path.dropFirst(prefix.utf8.count)) : nil
    }

    private static func names(in path: some StringProtocol) -> [String] {
        var names: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in path.utf8 {
            switch byte {
            case _ where isEscaped:
                names[names.count - 1].append(byte)
                isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "."): names.append([])
            default: names[names.count - 1].append(byte)
            }
        }
        return names.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }
}
