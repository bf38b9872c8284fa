import Engine

extension EngineSettings {
    /// What an engine is set up with, as a configuration says.
    init(_ configuration: Configuration, _ log: Log) {
        self.init()
        limits = EngineLimits(configuration.limits)
        allowsIntrospection = configuration.allowsIntrospection
        semantics = configuration.features.listSemantics == .filled ? .filled : .appsync
        functions = configuration.functions
        report = { log.warning($0) }
        trace = log.trace
    }
}

extension EngineLimits {
    init(_ settings: LimitSettings) {
        self.init()
        depthMax = settings.queryDepth
        readsMax = settings.operationReads
        milliseconds = Int64(settings.operationSeconds) * 1_000
        mutationMilliseconds = Int64(settings.mutationSeconds) * 1_000
        responseBytesMax = settings.responseBytes
        pageMax = settings.pageRecords
        aggregatesMax = settings.searchAggregates
        callsMax = settings.functionCalls
        callMilliseconds = settings.functionSeconds * 1_000
        callBytesMax = settings.functionBytes
    }
}
