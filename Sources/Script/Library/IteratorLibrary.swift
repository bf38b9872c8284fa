extension NativeClass {
    static let iterator = NativeClass(
        name: "Iterator", hasConstructor: false,
        properties: [.method(.iterator, length: 0) { call in call.this }])

    static let asyncIterator = NativeClass(
        name: "AsyncIterator", hasConstructor: false,
        properties: [.method(.asyncIterator, length: 0) { call in call.this }])

    static let asyncFromSyncIterator = NativeClass(
        name: "%AsyncFromSyncIteratorPrototype%", prototypeParent: .asyncIterator, hasConstructor: false,
        properties: [
            .method("next", length: 1) { call throws(Thrown) in try AsyncFromSyncIterator.step(call, .next) },
            .method("return", length: 1) { call throws(Thrown) in try AsyncFromSyncIterator.step(call, .return) },
            .method("throw", length: 1) { call throws(Thrown) in try AsyncFromSyncIterator.step(call, .throw) },
        ])

    // MARK: Generators

    static let generatorFunction = NativeClass(
        name: "GeneratorFunction", length: 1, prototypeParent: .function, constructorParent: .function,
        hidesConstructor: true, prototypeOfFunctions: .generator, properties: [.tag("GeneratorFunction")],
        construct: FunctionLibrary.refuse)

    static let asyncGeneratorFunction = NativeClass(
        name: "AsyncGeneratorFunction", length: 1, prototypeParent: .function, constructorParent: .function,
        hidesConstructor: true, prototypeOfFunctions: .asyncGenerator, properties: [.tag("AsyncGeneratorFunction")],
        construct: FunctionLibrary.refuse)

    static let asyncFunction = NativeClass(
        name: "AsyncFunction", length: 1, prototypeParent: .function, constructorParent: .function,
        hidesConstructor: true, properties: [.tag("AsyncFunction")], construct: FunctionLibrary.refuse)

    static let generator = NativeClass(
        name: "Generator", prototypeParent: .iterator, hasConstructor: false, functionsClass: .generatorFunction,
        properties: [
            .method("next", length: 1) { call throws(Thrown) in
                try call.this(as: GeneratorObject.self, "[Generator].prototype.next").resume(.next(call[0]))
            },
            .method("return", length: 1) { call throws(Thrown) in
                try call.this(as: GeneratorObject.self, "[Generator].prototype.return").resume(.return(call[0]))
            },
            .method("throw", length: 1) { call throws(Thrown) in
                try call.this(as: GeneratorObject.self, "[Generator].prototype.throw").resume(.throw(call[0]))
            },
            .tag("Generator"),
        ])

    static let asyncGenerator = NativeClass(
        name: "AsyncGenerator", prototypeParent: .asyncIterator, hasConstructor: false,
        functionsClass: .asyncGeneratorFunction,
        properties: [
            .method("next", length: 1) { call throws(Thrown) in try step(call, .next(call[0])) },
            .method("return", length: 1) { call throws(Thrown) in try step(call, .return(call[0])) },
            .method("throw", length: 1) { call throws(Thrown) in try step(call, .throw(call[0])) },
            .tag("AsyncGenerator"),
        ])

    private static func step(_ call: NativeCall, _ resumption: Resumption) throws(Thrown) -> Value {
        let promise = call.realm.promise()
        let capability = PromiseCapability(promise: promise, resolveFunction: nil, rejectFunction: nil)
        do throws(Thrown) {
            let generator = try call.this(as: AsyncGeneratorObject.self, "[AsyncGenerator].prototype.next")
            try generator.enqueue(resumption, capability)
        } catch {
            guard case .value(let reason) = error else { throw error }
            promise.reject(reason)
        }
        return .object(promise)
    }
}
