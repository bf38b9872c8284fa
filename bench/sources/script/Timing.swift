import Script

/// How long it takes to make a realm and run a file.
enum Timing {
    static func run(_ files: [String]) {
        for file in files {
            guard let text = FileHost.read(file) else { continue }
            let clock = ContinuousClock()
            var program: CompiledProgram?
            var compiling = Duration.seconds(1000)
            for _ in 0..<20 {
                compiling = min(
                    compiling,
                    clock.measure { program = try? Script.compile(text, file: file, SyntaxOptions(goal: .script)) })
            }
            guard let program else {
                print("\(file): no program")
                continue
            }
            var running = Duration.seconds(1000)
            var total = Duration.zero
            var rounds = 0
            while rounds < 3 || (rounds < 1000 && total < .seconds(1)) {
                let duration = clock.measure {
                    let host = FileHost()
                    host.printsLines = false
                    let realm = Realm(host: host)
                    do throws(ScriptError) {
                        try realm.run(program)
                    } catch {
                        ScriptRunner.show(error)
                    }
                }
                running = min(running, duration)
                total += duration
                rounds += 1
            }
            print("\(file): compiled in \(compiling), realm and run \(running) (best of \(rounds))")
        }
    }
}
