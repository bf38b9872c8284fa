/// The limits of the network and of operations, by the names of their keys under `limits`.
package struct LimitSettings: Sendable, Equatable {
    package var headBytes: Int
    package var targetBytes: Int
    package var headFields: Int
    package var bodyBytes: Int
    package var chunkLineBytes: Int
    package var trailerBytes: Int
    package var pipelinedBytes: Int
    package var connections: Int
    package var streamedBytes: Int
    package var waitingBodyBytes: Int
    package var unreadAnswerBytes: Int
    package var idleMilliseconds: Int
    package var headMilliseconds: Int
    package var bodyGraceMilliseconds: Int
    package var bodyBytesPerSecond: Int
    package var bodySilenceMilliseconds: Int
    package var answerGraceMilliseconds: Int
    package var answerBytesPerSecond: Int
    package var writeStallMilliseconds: Int
    package var lingerMilliseconds: Int
    package var lingerSilenceMilliseconds: Int
    package var lingerBytes: Int
    package var stopMilliseconds: Int
    package var webSocketMessageBytes: Int
    package var webSocketMessageFrames: Int
    package var webSocketOutboundBytes: Int
    package var webSocketPingMilliseconds: Int
    package var webSocketSilenceMilliseconds: Int
    package var webSocketCloseMilliseconds: Int
    /// How deep fields may nest; nil: as deep as documents may.
    package var queryDepth: Int?
    package var operationReads: Int
    package var operationSeconds: Int
    package var mutationSeconds: Int
    package var responseBytes: Int
    package var pageRecords: Int
    package var searchAggregates: Int
    package var functionCalls: Int
    package var functionSeconds: Int
    package var functionBytes: Int
}
