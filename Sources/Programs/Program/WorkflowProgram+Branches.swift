import Project

/// States that have branches: `Parallel` and `Map`.
extension WorkflowProgram {
    static let branches = #"""
        export class Parallel extends State {
          constructor(scope, id, props) {
            super(scope, id, props);
            this.branches = [];
          }
          get type() { return 'Parallel'; }
          branch(...chains) {
            this.branches.push(...chains);
            return this;
          }
          fields() {
            const json = { Branches: this.branches.map(graph) };
            if (this.props.parameters !== undefined) json.Parameters = render(this.props.parameters);
            return json;
          }
        }
        Parallel.prototype.hasResult = true;

        export class ProvideItems {
          constructor(items) { this.items = items; }
          static array(items) { return new ProvideItems(items); }
          static jsonata(text) { return new ProvideItems(text); }
        }

        export class Map extends State {
          get type() { return 'Map'; }
          iterator(chain) {
            this.inner = chain;
            this.isOld = true;
            return this;
          }
          itemProcessor(chain, config = {}) {
            this.inner = chain;
            this.config = config;
            return this;
          }
          get processor() {
            const mode = this.config?.mode ?? 'INLINE';
            return { Mode: mode, ExecutionType: mode === 'INLINE' ? undefined : this.config?.executionType ?? 'STANDARD' };
          }
          fields() {
            const { props } = this;
            const json = {};
            if (is(props.items, ProvideItems)) json.Items = render(props.items.items);
            if (props.itemsPath !== undefined) json.ItemsPath = path(props.itemsPath);
            if (is(props.maxConcurrency, PathToken)) json.MaxConcurrencyPath = props.maxConcurrency.path;
            else if (props.maxConcurrency !== undefined) json.MaxConcurrency = props.maxConcurrency;
            if (props.maxConcurrencyPath !== undefined) json.MaxConcurrencyPath = path(props.maxConcurrencyPath);
            if (props.jsonataMaxConcurrency !== undefined) json.MaxConcurrency = props.jsonataMaxConcurrency;
            if (props.itemSelector !== undefined) json.ItemSelector = render(props.itemSelector);
            if (props.jsonataItemSelector !== undefined) json.ItemSelector = props.jsonataItemSelector;
            if (props.parameters !== undefined) json.Parameters = render(props.parameters);
            if (this.inner) {
              if (this.isOld) json.Iterator = graph(this.inner);
              else json.ItemProcessor = { ProcessorConfig: this.processor, ...graph(this.inner) };
            }
            return json;
          }
        }
        Map.prototype.hasResult = true;
        """#
}
