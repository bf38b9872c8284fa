import Blueprint
import Project
import Script

extension ProgramRun {
    /// Runs a program whose function `override` changes resources; gives why it did not come to its end.
    ///
    /// - Parameter auth: the sign-in that it changes; nil: it changes something else, and nothing here reads that.
    func runOverride(of auth: AuthResource?) -> TypeScriptError? {
        let realm = makeRealm()
        defer { forgetObjects() }
        var failure: TypeScriptError?
        do throws(ScriptError) {
            let namespace = try realm.module(main.file)
            do throws(Thrown) {
                if case .object(let function) = try namespace.get("override"), function.isCallable {
                    let project = OpaqueObject(realm, origin: "amplifyProjectInfo")
                    _ = try realm.call(
                        function, this: .undefined, [overridden(auth, realm), .object(project)])
                    try realm.runJobs()
                }
            } catch {
                throw realm.scriptError(error, file: main.file)
            }
        } catch {
            failure = self.error(error)
        }
        signIn?.settle(self)
        return failure
    }

    private func overridden(_ auth: AuthResource?, _ realm: Realm) -> ProgramValue {
        guard let auth else { return .object(OpaqueObject(realm, origin: Version1Override.resources)) }
        let deployed = DeployedPool(auth.pool, auth.attributes, realm)
        signIn?.adopt(deployed, of: auth)
        return deployed.version1Resources(realm)
    }
}
