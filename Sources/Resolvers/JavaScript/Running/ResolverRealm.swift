import JSON
import Script
import Synchronization

/// A world of objects that evaluates one handler after the other. The library in it is frozen, and what a handler makes is
/// taken apart behind it, so that none finds anything of another one. Making it costs a hundred times what a handler costs.
final class ResolverRealm {
    let realm: Realm
    let run: JavaScriptRun
    let shapes: Shapes
    private let namespaces: [ByteText: ScriptObject]
    private let mainExports: ScriptObject
    private var modules: [ObjectIdentifier: RepeatedModule] = [:]

    /// Programs whose names and texts are kept ready. Beyond, the realm is given up.
    private static let modulesMax = 256

    init() {
        run = JavaScriptRun()
        realm = Realm(host: run, library: ResolverLanguage.library)
        var namespaces: [ByteText: ScriptObject] = [:]
        for module in LentLibrary.modules {
            namespaces[ByteText(module.specifier)] = LentLibrary.object(module.name, realm)
        }
        self.namespaces = namespaces
        mainExports = realm.object()
        for name in LentLibrary.mainNames { mainExports.put(name, (try? realm.global.get(name)) ?? .undefined) }
        shapes = Shapes(realm)
        realm.sealForRuns()
    }

    func module(of program: JavaScriptProgram) throws(Thrown) -> RepeatedModule {
        let id = ObjectIdentifier(program.compiled)
        if let known = modules[id] { return known }
        var imports: [Value] = []
        for entry in program.imports {
            let namespace = namespaces[ByteText(entry.specifier)] ?? mainExports
            guard let name = entry.name, name != "default" else {
                imports.append(.object(namespace))
                continue
            }
            imports.append(try namespace.get(name))
        }
        let module = RepeatedModule(program.compiled, imports: imports, in: realm)
        modules[id] = module
        return module
    }

    /// Takes apart what a handler made. False: the realm must not be used again.
    func end() -> Bool { realm.end() && modules.count <= Self.modulesMax }
}

/// The realms that wait for a handler, for all threads.
enum ResolverRealms {
    /// Unchecked: a realm is in the list or with the one thread that took it out, never both.
    private struct Waiting: @unchecked Sendable {
        let realm: ResolverRealm
    }

    private static let waiting = Mutex<[Waiting]>([])
    /// Realms that are kept; more are made when more handlers run at one time.
    private static let waitingMax = 16

    /// A realm for one run.
    static func take() -> ResolverRealm { waiting.withLock { $0.popLast() }?.realm ?? ResolverRealm() }

    /// Keeps the realm of a run that has ended for another one, if it is as before.
    static func giveBack(_ realm: ResolverRealm) {
        guard realm.end() else { return }
        let returned = Waiting(realm: realm)
        waiting.withLock { if $0.count < waitingMax { $0.append(returned) } }
    }
}
