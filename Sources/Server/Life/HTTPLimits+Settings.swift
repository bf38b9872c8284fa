import Network

extension HTTPLimits {
    init(_ settings: LimitSettings) {
        self.init()
        headBytes = settings.headBytes
        targetBytes = settings.targetBytes
        headFields = settings.headFields
        bodyBytes = settings.bodyBytes
        chunkLineBytes = settings.chunkLineBytes
        trailerBytes = settings.trailerBytes
        pipelinedBytes = settings.pipelinedBytes
        connections = settings.connections
        streamedBytes = settings.streamedBytes
        idleMilliseconds = settings.idleMilliseconds
        headMilliseconds = settings.headMilliseconds
        bodyGraceMilliseconds = settings.bodyGraceMilliseconds
        bodyBytesPerSecond = settings.bodyBytesPerSecond
        writeStallMilliseconds = settings.writeStallMilliseconds
        stopMilliseconds = settings.stopMilliseconds
    }
}
