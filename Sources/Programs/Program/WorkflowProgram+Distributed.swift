import Project

/// A distributed `Map`, with what reads its elements and writes its results.
extension WorkflowProgram {
    static let distributed = #"""
        // A distributed `Map`: its elements come from its input or from a bucket, and each of them, or a batch, is an execution.
        export class DistributedMap extends Map {
          itemProcessor(chain, config = {}) { return super.itemProcessor(chain, { ...config, mode: 'DISTRIBUTED' }); }
          get processor() {
            return { Mode: 'DISTRIBUTED', ExecutionType: this.props.mapExecutionType ?? this.config?.executionType ?? 'STANDARD' };
          }
          fields() {
            const { props } = this;
            const json = super.fields();
            const writer = props.resultWriterV2 ?? props.resultWriter;
            if (props.itemReader !== undefined) json.ItemReader = this.rendered(props.itemReader);
            if (props.itemBatcher !== undefined) json.ItemBatcher = this.rendered(props.itemBatcher);
            if (writer !== undefined) json.ResultWriter = this.rendered(writer);
            if (props.label !== undefined) json.Label = props.label;
            for (const name of ['FailurePercentage', 'FailureCount']) {
              const value = props[`tolerated${name}`], place = props[`tolerated${name}Path`];
              if (is(value, PathToken)) json[`Tolerated${name}Path`] = value.path;
              else if (value !== undefined) json[`Tolerated${name}`] = value;
              if (place !== undefined) json[`Tolerated${name}Path`] = path(place);
            }
            return json;
          }
          rendered(part) { return isOpaque(part) ? {} : part.fields((value) => this.given(value)); }
        }

        const place = ({ bucket, bucketNamePath, ...rest }) => {
          const object = { Bucket: bucketNamePath ?? bucket.bucketName, ...rest };
          for (const [name, value] of Object.entries(object)) if (value === undefined) delete object[name];
          return object;
        };

        export class S3ObjectsItemReader {
          constructor(props) { this.props = props; }
          fields(given) {
            const { bucket, bucketNamePath, prefix, maxItems } = this.props;
            return {
              Resource: 'arn:aws:states:::s3:listObjectsV2', ReaderConfig: maxItems ? { MaxItems: maxItems } : undefined,
              ...given(place({ bucket, bucketNamePath, Prefix: prefix })),
            };
          }
        }
        class S3FileItemReader {
          constructor(props) { this.props = props; }
          config() { return {}; }
          fields(given) {
            const { bucket, bucketNamePath, key, maxItems } = this.props;
            return {
              Resource: 'arn:aws:states:::s3:getObject',
              ReaderConfig: { InputType: this.inputType, MaxItems: maxItems || undefined, ...this.config() },
              ...given(place({ bucket, bucketNamePath, Key: key })),
            };
          }
        }
        export class S3JsonItemReader extends S3FileItemReader { get inputType() { return 'JSON'; } }
        export class S3JsonLItemReader extends S3FileItemReader { get inputType() { return 'JSONL'; } }
        export class S3ManifestItemReader extends S3FileItemReader { get inputType() { return 'MANIFEST'; } }
        export const CsvHeaderLocation = { FIRST_ROW: 'FIRST_ROW', GIVEN: 'GIVEN' };
        export const CsvDelimiter = { COMMA: 'COMMA', PIPE: 'PIPE', SEMICOLON: 'SEMICOLON', SPACE: 'SPACE', TAB: 'TAB' };
        export class CsvHeaders {
          constructor(headerLocation, headers) { this.headerLocation = headerLocation; this.headers = headers; }
          static useFirstRow() { return new CsvHeaders('FIRST_ROW'); }
          static use(headers) { return new CsvHeaders('GIVEN', headers); }
        }
        export class S3CsvItemReader extends S3FileItemReader {
          get inputType() { return 'CSV'; }
          config() {
            const { csvHeaders = CsvHeaders.useFirstRow(), csvDelimiter } = this.props;
            return { CSVDelimiter: csvDelimiter, CSVHeaderLocation: csvHeaders.headerLocation, CSVHeaders: csvHeaders.headers };
          }
        }

        export class ItemBatcher {
          constructor(props) { this.props = props; }
          fields() {
            const { maxItemsPerBatch, maxItemsPerBatchPath, maxInputBytesPerBatch, maxInputBytesPerBatchPath, batchInput } = this.props;
            return render({
              MaxItemsPerBatch: maxItemsPerBatch, MaxItemsPerBatchPath: maxItemsPerBatchPath,
              MaxInputBytesPerBatch: maxInputBytesPerBatch, MaxInputBytesPerBatchPath: maxInputBytesPerBatchPath, BatchInput: batchInput,
            });
          }
        }

        export const OutputType = { JSON: 'JSON', JSONL: 'JSONL' };
        export const Transformation = { NONE: 'NONE', COMPACT: 'COMPACT', FLATTEN: 'FLATTEN' };
        export class WriterConfig {
          constructor(props) { Object.assign(this, props); }
        }
        export class ResultWriter {
          constructor(props) { this.props = props; }
          fields(given) {
            const { bucket, bucketNamePath, prefix, writerConfig } = this.props;
            return {
              ...(bucket || bucketNamePath
                ? { Resource: 'arn:aws:states:::s3:putObject', ...given(place({ bucket, bucketNamePath, Prefix: prefix })) } : {}),
              WriterConfig: writerConfig
                ? { OutputType: writerConfig.outputType, Transformation: writerConfig.transformation } : undefined,
            };
          }
        }
        export class ResultWriterV2 extends ResultWriter {}
        """#
}
