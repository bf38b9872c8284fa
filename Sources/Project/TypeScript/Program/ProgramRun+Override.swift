import Blueprint
import Script

extension ProgramRun {
    /// Runs a program whose function `override` changes the resources of sign-in; gives why it did not come to its end.
    func runOverride(of auth: AuthResource) -> TypeScriptError? {
        let realm = makeRealm()
        defer { forgetObjects() }
        var failure: TypeScriptError?
        do throws(ScriptError) {
            let namespace = try realm.module(main.file)
            do throws(Thrown) {
                if case .object(let function) = try namespace.get("override"), function.isCallable {
                    let deployed = DeployedPool(auth.pool, auth.attributes, realm)
                    signIn?.adopt(deployed, of: auth)
                    let project = OpaqueObject(realm, origin: "amplifyProjectInfo")
                    _ = try realm.call(
                        function, this: .undefined, [deployed.version1Resources(realm), .object(project)])
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
}
