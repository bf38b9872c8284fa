import GraphQL
import Testing

@testable import Blueprint
@testable import Programs
@testable import Project

@Suite("Queues of a project")
struct QueueReadingTests {
    private static func read(_ lines: String) -> Project {
        let files = [
            "amplify/backend.ts": """
            import { defineBackend, defineFunction } from '@aws-amplify/backend';
            import { Duration } from 'aws-cdk-lib';
            import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
            import * as sqs from 'aws-cdk-lib/aws-sqs';
            import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
            const backend = defineBackend({ say: defineFunction({ name: 'say' }) });
            const stack = backend.createStack('s');
            \(lines)
            """
        ]
        return Project.read("amplify", in: ProgramSurroundings(files))
    }

    @Test("are read with their settings, their dead letters, and the names that functions get of them")
    func queues() {
        let reading = Self.read(
            """
            const failed = new sqs.Queue(stack, 'Failed');
            const jobs = new sqs.Queue(stack, 'Jobs', {
              queueName: 'orders.fifo', fifo: true, contentBasedDeduplication: true, visibilityTimeout: Duration.minutes(5),
              retentionPeriod: Duration.days(4), deadLetterQueue: { queue: failed, maxReceiveCount: 3 } });
            new sqs.Queue(stack, 'Failed');
            jobs.grantSendMessages(backend.say.resources.lambda);
            backend.say.addEnvironment('URL', jobs.queueUrl);
            backend.say.addEnvironment('NAME', jobs.queueName);
            """)
        var orders = QueueResource("orders.fifo")
        (orders.namesByContent, orders.visibilitySeconds, orders.retentionSeconds) = (true, 300, 345_600)
        (orders.deadLetterQueue, orders.receivesMax) = ("Failed", 3)
        #expect(reading.queues == [QueueResource("Failed"), orders, QueueResource("Failed-2")])
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        #expect(
            reading.functions.first?.environment == [
                .init(name: "URL", value: .deployed("queues/orders.fifo.queueUrl")),
                .init(name: "NAME", value: .text("orders.fifo")),
            ])
    }

    @Test(
        "tell the functions that are their consumers",
        arguments: [
            "backend.say.resources.lambda.addEventSource(new SqsEventSource(jobs, { batchSize: 5, reportBatchItemFailures: true, maxConcurrency: 2 }));",
            "new EventSourceMapping(stack, 'm', { target: backend.say.resources.lambda, eventSourceArn: jobs.queueArn, batchSize: 5, reportBatchItemFailures: true, maxConcurrency: 2 });",
            "backend.say.resources.lambda.addEventSourceMapping('m', { eventSourceArn: jobs.queueArn, batchSize: 5, reportBatchItemFailures: true, maxConcurrency: 2 });",
        ])
    func consumers(line: String) {
        let reading = Self.read("const jobs = new sqs.Queue(stack, 'Jobs');\n\(line)")
        var subscription = QueueSubscription("Jobs")
        (subscription.batch, subscription.tellsFailures, subscription.callsAtOnce) = (5, true, 2)
        #expect(reading.functions.map(\.queues) == [[subscription]], "\(reading.diagnostics)")
    }
}
