import Access
import Blueprint
import Functions
import UserPool

extension Configuration {
    /// The region in which functions believe to be.
    func region(_ pool: PoolIdentifiers?) -> String {
        pool?.region ?? signIn.region ?? PoolIdentifiers.usualRegion
    }

    /// Tells everybody who calls functions where each of them is called.
    mutating func nameFunctions() {
        engine.functions = functions.reduce(into: [:]) { $0[$1.key] = $1.value.address(of: $1.key) }
        for (name, setting) in functions.sorted(by: { $0.key < $1.key }) {
            for other in setting.otherNames where engine.functions[other] == nil {
                engine.functions[other] = setting.address(of: name)
            }
        }
        if let place = auth.authorizerURL { auth.authorizerURL = engine.functions[place] ?? place }
    }

    /// The functions that run here. Those with a fault are left out: they are told of by `functionFaults`.
    var functionsHere: [FunctionSettings] {
        functions.sorted { $0.key < $1.key }.compactMap { name, setting in (try? setting.settings(named: name)) ?? nil }
    }

    /// The faults of functions, and of their names.
    ///
    /// - Parameter hasProject: whether all is there that a project says. Before that, nothing is wrong that it may mend.
    func functionFaults(hasProject: Bool = true) -> [(key: String, message: String)] {
        var faults: [(key: String, message: String)] = []
        for (name, setting) in functions.sorted(by: { $0.key < $1.key }) {
            do throws(FunctionSetting.Fault) {
                _ = try setting.settings(named: name)
            } catch {
                guard hasProject || !error.isLeftToProject else { continue }
                faults.append(("functions", "\(name): \(error.message)"))
            }
        }
        guard hasProject else { return faults }
        if let place = auth.authorizerURL, !isCallable(place) {
            faults.append(("auth.lambda.url", Self.unknown(place)))
        }
        for strategy in [project.conflictStrategy] + project.conflictStrategies.values.map(Optional.some) {
            if case .lambda(let place)? = strategy, !isCallable(place) {
                faults.append(("features.conflictDetection", Self.unknown(place)))
            }
        }
        return faults
    }

    private func isCallable(_ place: String) -> Bool {
        place.hasPrefix("http://") || place.hasPrefix("https://") || FunctionAddress.name(in: place) != nil
            || engine.functions[place] != nil
    }

    private static func unknown(_ place: String) -> String {
        "there is no function \(place); name one of functions, or a URL"
    }
}
