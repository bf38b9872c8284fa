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
        waitingBodyBytes = settings.waitingBodyBytes
        unreadAnswerBytes = settings.unreadAnswerBytes
        idleMilliseconds = settings.idleMilliseconds
        headMilliseconds = settings.headMilliseconds
        bodyGraceMilliseconds = settings.bodyGraceMilliseconds
        bodyBytesPerSecond = settings.bodyBytesPerSecond
        bodySilenceMilliseconds = settings.bodySilenceMilliseconds
        answerGraceMilliseconds = settings.answerGraceMilliseconds
        answerBytesPerSecond = settings.answerBytesPerSecond
        writeStallMilliseconds = settings.writeStallMilliseconds
        lingerMilliseconds = settings.lingerMilliseconds
        lingerSilenceMilliseconds = settings.lingerSilenceMilliseconds
        lingerBytes = settings.lingerBytes
        stopMilliseconds = settings.stopMilliseconds
    }
}
