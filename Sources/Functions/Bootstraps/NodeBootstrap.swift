/// Our runtime for Node: JavaScript, and TypeScript where the project or Node itself can read it.
enum NodeBootstrap {
    static let text = #"""
        // A runtime for functions in JavaScript and TypeScript: loads a handler and answers events by Lambda's Runtime API. Made by
        // Homeport.
        import fs from 'node:fs';
        import http from 'node:http';
        import module, { createRequire } from 'node:module';
        import path from 'node:path';
        import util from 'node:util';
        import { pathToFileURL } from 'node:url';
        import './node-network.mjs';
        import { Packages } from './node-packages.mjs';

        const [file, exportPath] = process.argv.slice(2);
        const handlerFile = path.resolve(file);
        const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(':');
        const folder = process.env.HOMEPORT_FUNCTIONS_FOLDER ?? '.';
        const sdkModules = path.resolve(folder, 'sdk', 'node_modules');
        const requireThere = createRequire(handlerFile);
        process.argv = [process.argv[0], handlerFile];

        // One connection for all.
        const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

        function call(method, target, body, headers = {}) {
          return new Promise((resolve, reject) => {
            const request = http.request(
              { host, port, method, path: '/2018-06-01/runtime' + target, agent, headers }, (response) => {
                const pieces = [];
                response.on('data', (piece) => pieces.push(piece));
                response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }));
                response.on('error', reject);
              });
            request.on('error', reject);
            request.setNoDelay(true);
            request.end(body);
          });
        }

        function post(target, text, headers = {}) {
          const body = Buffer.from(text);
          return call('POST', target, body, { 'Content-Type': 'application/json', 'Content-Length': body.length, ...headers });
        }

        // --- Errors

        // What can be done about it is for the log: it names folders of this machine, and the message goes to clients.
        class RuntimeError extends Error {
          constructor(name, message, trace, remedy) {
            super(message);
            this.name = name;
            if (trace !== undefined) this.stack = trace;
            if (remedy !== undefined) this.remedy = remedy;
          }
        }

        const visible = (text) => String(text).replaceAll('\x7F', '%7F');

        // Where our own hooks stand in it, a line would be their whole text.
        const stack = (error) => String(error.stack ?? '').split('\n').filter((line) => !line.includes('data:text/javascript')).join('\n');

        function described(error) {
          if (!util.types.isNativeError(error) && !(error && error.name && error.message && error.stack)) {
            return { errorType: typeof error, errorMessage: visible(error), trace: [] };
          }
          return {
            errorType: visible(error.name), errorMessage: visible(error.message),
            trace: visible(stack(error)).split('\n'),
          };
        }

        function said(label, error) {
          const details = util.types.isNativeError(error) ? { ...described(error), ...error, trace: undefined, stack: described(error).trace } : described(error);
          let text;
          try { text = JSON.stringify(details); } catch { text = JSON.stringify(described(error)); }
          line('ERROR', `${label}\t${text}`);
        }

        // --- Output

        let requestId;
        const levels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];
        const isJSON = process.env.AWS_LAMBDA_LOG_FORMAT?.toUpperCase() === 'JSON';
        const lowest = isJSON ? Math.max(0, levels.indexOf(process.env.AWS_LAMBDA_LOG_LEVEL?.toUpperCase() ?? 'TRACE')) : 0;

        function line(level, text) {
          process.stdout.write(`${new Date().toISOString()}\t${requestId ?? 'undefined'}\t${level}\t${text}`.replaceAll('\n', '\r') + '\n');
        }

        function say(level, values) {
          if (levels.indexOf(level) < lowest) return;
          if (!isJSON) return line(level, util.format(...values));
          const entry = { timestamp: new Date().toISOString(), level, requestId };
          const error = values.find((value) => util.types.isNativeError(value));
          entry.message = values.length === 1 && typeof values[0] === 'object' && !error ? values[0] : util.format(...values);
          if (error) Object.assign(entry, { errorType: error.name, errorMessage: error.message, stackTrace: (error.stack ?? '').split('\n') });
          let text;
          try { text = JSON.stringify(entry); } catch { text = JSON.stringify({ ...entry, message: util.format(...values) }); }
          process.stdout.write(text + '\n');
        }

        for (const [name, level] of [['log', 'INFO'], ['info', 'INFO'], ['debug', 'DEBUG'], ['warn', 'WARN'], ['error', 'ERROR'], ['trace', 'TRACE']]) {
          console[name] = (...values) => say(level, values);
        }

        // --- Modules

        const amplifyModule = 'export const env = process.env;';

        // What the project does not have may be in our own folder, as the SDK is a part of Lambda's image. Files of a project that were
        // put together lie elsewhere, so what they import is looked for where the handler lies.
        process.env.NODE_PATH = [process.env.NODE_PATH, sdkModules].filter(Boolean).join(path.delimiter);
        module.Module._initPaths();
        const hooks = String.raw`
          import fs from 'node:fs';
          import module from 'node:module';
          import { fileURLToPath, pathToFileURL } from 'node:url';
          let places, endings, aliases, readsTypes, isBundled;
          export function initialize(data) {
            ({ places, endings, aliases, readsTypes, isBundled } = data);
            // That reading types is an experiment of Node's is not news in the log of each function.
            if (readsTypes) process.removeAllListeners('warning');
          }

          // Paths that the project's tsconfig.json has names for.
          function aliased(specifier) {
            for (const { before, after, isWhole, targets } of aliases) {
              if (isWhole ? specifier !== before : !specifier.startsWith(before) || !specifier.endsWith(after)) continue;
              const middle = isWhole ? '' : specifier.slice(before.length, specifier.length - after.length);
              for (const target of targets) {
                const file = target.replace('*', () => middle);
                for (const name of [file, ...endings.map((ending) => file + ending), file.replace(/\.([cm]?)js$/, '.$1ts')]) {
                  if (fs.statSync(name, { throwIfNoEntry: false })?.isFile()) return pathToFileURL(name).href;
                }
              }
            }
          }

          export async function resolve(specifier, context, next) {
            if (specifier.startsWith('$amplify/env/')) {
              return { url: 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(amplifyModule)}), shortCircuit: true };
            }
            const known = aliased(specifier);
            if (known) return next(known, context);
            try { return await next(specifier, context); } catch (error) {
              if (error?.code !== 'ERR_MODULE_NOT_FOUND' && error?.code !== 'ERR_UNSUPPORTED_DIR_IMPORT') throw error;
              if (/^\.{0,2}\//.test(specifier)) {
                const written = specifier.replace(/\.([cm]?)js$/, '.$1ts');
                for (const name of [...endings.map((ending) => specifier + ending), ...(written === specifier ? [] : [written])]) {
                  const url = new URL(name, context.parentURL);
                  if (fs.existsSync(fileURLToPath(url))) return next(url.href, context);
                }
                throw error;
              }
              for (const parentURL of places) {
                try { return await next(specifier, { ...context, parentURL }); } catch {}
              }
              throw error;
            }
          }

          // TypeScript leaves out what is imported and has no value that is used.
          function withoutTypes(code) {
            const imports = /^import\s+(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\}\s*)?from\s*(['"][^'"\n]+['"])[^;\n]*;?/gm;
            const rest = code.replace(imports, '');
            const isUsed = (name) => new RegExp('(?<![\\w$])' + name.replaceAll('$', '\\$') + '(?![\\w$])').test(rest);
            return code.replace(imports, (all, standard, list, from) => {
              const names = (list ?? '').split(',').map((name) => name.trim()).filter(Boolean);
              const kept = names.filter((name) => isUsed(name.split(/\s+as\s+/).at(-1)));
              const isStandardKept = standard !== undefined && isUsed(standard);
              if (kept.length === names.length && isStandardKept === (standard !== undefined)) return all;
              const parts = [...(isStandardKept ? [standard] : []), ...(kept.length ? ['{ ' + kept.join(', ') + ' }'] : [])];
              const lines = '\n'.repeat(all.split('\n').length - 1);
              return parts.length ? 'import ' + parts.join(', ') + ' from ' + from + ';' + lines : lines;
            });
          }

          // A module may call require too. Its definition goes into the first line, so that lines keep their numbers.
          function withCommonJS(code, url) {
            const isDeclared = (name) => new RegExp('\\b(?:const|let|var|function|class|import)\\s+' + name + '\\b|[{,]\\s*' + name + '\\s*[,}]').test(code);
            const uses = (name) => new RegExp('(?<![\\w$.])' + name + '(?![\\w$])').test(code) && !isDeclared(name);
            const file = JSON.stringify(fileURLToPath(url));
            const parts = [];
            if (uses('require')) parts.push('import { createRequire as homeportCreateRequire } from "node:module"; const require = homeportCreateRequire(' + file + ');');
            if (uses('__filename')) parts.push('const __filename = ' + file + ';');
            if (uses('__dirname')) parts.push('const __dirname = ' + JSON.stringify(fileURLToPath(new URL('.', url)).replace(/\/$/, '')) + ';');
            return parts.join(' ') + code;
          }

          // Version 2 of the SDK is CommonJS whose names Node does not see; a bundle takes them as they are used.
          function withSecondSDK(code) {
            let count = 0;
            return code
              .replace(/^import\s+\*\s+as\s+([\w$]+)\s+from\s*(['"]aws-sdk(?:\/[^'"\n]*)?['"])/gm, 'import $1 from $2')
              .replace(/^import\s+(?:([\w$]+)\s*,\s*)?\{([^}]*)\}\s*from\s*(['"]aws-sdk(?:\/[^'"\n]*)?['"])[^;\n]*;?/gm, (all, standard, list, from) => {
                const sdk = standard ?? 'homeportSDK' + count++;
                const names = list.replaceAll('\n', ' ').split(',').map((name) => name.trim()).filter(Boolean).map((name) => name.replace(/\s+as\s+/, ': '));
                return 'import ' + sdk + ' from ' + from + '; const { ' + names.join(', ') + ' } = ' + sdk + ';' + '\n'.repeat(all.split('\n').length - 1);
              });
          }

          const isModule = (text) => /^\s*(?:import\s*(?:['"]|[\w$*{][^;'"]*\bfrom\s*['"])|export\s*(?:(?:default|const|let|var|function|async|class)\b|[{*]))/m.test(text);

          // Node itself erases types; what has to be made of an enum, a namespace and the like it does when it is asked to.
          export async function load(url, context, next) {
            if (!url.startsWith('file:')) return next(url, context);
            const file = fileURLToPath(url);
            if (file.endsWith('.json') && !file.includes('/node_modules/') && !context.importAttributes?.type && context.format !== 'commonjs') {
              return { format: 'module', source: 'export default ' + fs.readFileSync(file, 'utf8') + ';', shortCircuit: true };
            }
            if (file.includes('/node_modules/')) return next(url, context);
            const isScript = isBundled && /\.m?js$/.test(file);
            if (!isScript && !(readsTypes && /\.m?ts$/.test(file))) return next(url, context);
            const text = fs.readFileSync(file, 'utf8');
            if (isScript ? !isModule(text) : !/^\s*(?:import|export)\b/m.test(text)) return next(url, context);
            const script = isScript ? text : withoutTypes(module.stripTypeScriptTypes(text, { mode: 'transform', sourceMap: true, sourceUrl: url }));
            return { format: 'module', source: withCommonJS(withSecondSDK(script), url), shortCircuit: true };
          }`;

        // Whether this node reads TypeScript when it is asked to.
        const readsTypes = typeof module.stripTypeScriptTypes === 'function';
        const isTypeScript = ['.ts', '.mts', '.cts', '.tsx'].includes(path.extname(handlerFile));
        // Amplify bundles what belongs to a project whose backend is a program, be it TypeScript or JavaScript.
        const isBundled = isTypeScript || ['backend.ts', 'backend.mts', 'backend.js', 'backend.mjs'].some((name) => nearest(name));

        // What the nearest tsconfig.json, or what it is based on, calls paths.
        function pathAliases() {
          const at = nearest('tsconfig.json');
          let file = at && path.join(at, 'tsconfig.json');
          for (let depth = 0; file && depth < 8; depth++) {
            let told;
            try { told = JSON.parse(plainJSON(fs.readFileSync(file, 'utf8'))); } catch { return []; }
            const { paths, baseUrl } = told.compilerOptions ?? {};
            const base = path.resolve(path.dirname(file), typeof baseUrl === 'string' ? baseUrl : '.');
            if (paths && typeof paths === 'object') {
              return Object.entries(paths).filter(([, targets]) => Array.isArray(targets)).map(([name, targets]) => {
                const [before, after] = name.split('*');
                return {
                  before, after: after ?? '', isWhole: after === undefined,
                  targets: targets.map((target) => path.resolve(base, String(target))),
                };
              }).sort((one, other) => other.before.length - one.before.length);
            }
            const next = told.extends;
            file = typeof next === 'string' && next.startsWith('.') ? path.resolve(path.dirname(file), next) : undefined;
            if (file && !file.endsWith('.json')) file += '.json';
          }
          return [];
        }

        // JSON without the comments and the last commas that such files may have.
        function plainJSON(text) {
          return text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, (all, written) => written ?? '')
            .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (all, written) => written ?? '');
        }

        const aliases = isBundled ? pathAliases() : [];
        const packages = new Packages(handlerFile, path.resolve(folder, 'sdk'), (specifier) => aliases.some(({ before, after, isWhole }) => (
          isWhole ? specifier === before : specifier.startsWith(before) && specifier.endsWith(after) && before !== '')));

        module.register?.('data:text/javascript,' + encodeURIComponent(hooks), {
          data: {
            places: [pathToFileURL(handlerFile).href, pathToFileURL(path.join(folder, 'sdk', 'index.js')).href],
            endings: ['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js'],
            aliases, isBundled,
            readsTypes: isTypeScript && readsTypes && !found('esbuild') && !found('tsx/esm/api'),
          },
        });

        // Version 2 of the SDK does not know the variable that says where services are.
        const endpoint = process.env.AWS_ENDPOINT_URL;
        let isSecondSDKSet = false;
        function setSecondSDK(sdk) {
          if (isSecondSDKSet || !endpoint || typeof sdk?.config?.update !== 'function') return;
          isSecondSDKSet = true;
          process.env.AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE ??= '1';
          sdk.config.update({ endpoint, s3ForcePathStyle: true, region: process.env.AWS_REGION });
        }
        const load = module.Module._load;
        module.Module._load = function (request, ...others) {
          if (request.startsWith('$amplify/env/')) return { env: process.env };
          if (/^aws-sdk(\/|$)/.test(request)) {
            process.env.AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE ??= '1';
            const loaded = load.call(this, request, ...others);
            if (!isSecondSDKSet) {
              try { setSecondSDK(load.call(this, 'aws-sdk/global', ...others)); } catch {}
              if (request === 'aws-sdk') setSecondSDK(loaded);
            }
            return loaded;
          }
          return load.call(this, request, ...others);
        };

        function nearest(name) {
          for (let at = path.dirname(handlerFile); ; at = path.dirname(at)) {
            if (path.basename(at) === 'node_modules') return undefined;
            if (fs.existsSync(path.join(at, name))) return at;
            if (path.dirname(at) === at) return undefined;
          }
        }

        function isModulePackage() {
          const at = nearest('package.json');
          if (!at) return false;
          try { return JSON.parse(fs.readFileSync(path.join(at, 'package.json'), 'utf8')).type === 'module'; } catch { return false; }
        }

        // What Node and bundlers say of a module that is not there, without the folders of this machine.
        function withoutPaths(text) {
          return text.replace(/\nRequire stack:[^]*$/, '').replace(/ imported from [^]*$/, '')
            .replace(/(['"])(?:file:\/\/)?(\/[^'"]*)\1/g, (all, quote, name) => quote + (path.relative(path.dirname(handlerFile), name) || '.') + quote);
        }

        // A module is not there. The message says which, and the log how to install it.
        function importFailure(text, trace, bare = text) {
          const remedy = packages.command(missingName({ message: text }));
          return new RuntimeError('Runtime.ImportModuleError', remedy ? `${bare} (the server's log says how to install it)` : bare, trace, remedy);
        }

        function missingName(error) {
          return /Cannot find (?:module|package) '([^']+)'/.exec(error?.message ?? '')?.[1]
            ?? /Could not resolve "([^"]+)"/.exec(error?.message ?? '')?.[1];
        }

        function found(name) {
          try { return requireThere.resolve(name); } catch { return undefined; }
        }

        async function bundled(esbuild) {
          let result;
          try {
            result = await esbuild.build({
              entryPoints: [handlerFile], absWorkingDir: path.dirname(handlerFile), bundle: true, write: false, platform: 'node',
              format: 'esm', target: 'node' + process.versions.node.split('.')[0], sourcemap: 'inline', outfile: 'index.mjs',
                  // What is put together lies in a folder of ours: the places of its sources are said from theirs.
                  sourceRoot: pathToFileURL(path.dirname(handlerFile)).href + '/',
              external: ['*.node'], nodePaths: [sdkModules], logLevel: 'silent',
              banner: {
                js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(${JSON.stringify(handlerFile)}); `
                  + `const __filename = ${JSON.stringify(handlerFile)}; const __dirname = ${JSON.stringify(path.dirname(handlerFile))};`,
              },
              plugins: [{
                name: 'amplify', setup(build) {
                  build.onResolve({ filter: /^\$amplify\/env\// }, (asked) => ({ path: asked.path, namespace: 'amplify' }));
                  build.onLoad({ filter: /.*/, namespace: 'amplify' }, () => ({ contents: amplifyModule }));
                  // Version 2 of the SDK stays outside. As CommonJS in the bundle it gives whatever is imported of it.
                  build.onResolve({ filter: /^aws-sdk(\/|$)/ }, (asked) => (
                    asked.namespace === 'second-sdk' || asked.kind === 'require-call' || asked.kind === 'require-resolve'
                      ? { path: asked.path, external: true } : { path: asked.path, namespace: 'second-sdk' }));
                  build.onLoad({ filter: /.*/, namespace: 'second-sdk' }, (asked) => ({
                    contents: `module.exports = require(${JSON.stringify(asked.path)});`, resolveDir: path.dirname(handlerFile),
                  }));
                },
              }],
            });
          } catch (error) {
            const fault = error.errors?.[0];
            const place = fault?.location ? `${fault.location.file}:${fault.location.line}:${fault.location.column + 1}: ` : '';
            const text = `${place}${fault?.text ?? error.message}`;
            throw missingName({ message: text }) ? importFailure(text, '') : new RuntimeError('Runtime.UserCodeSyntaxError', text, '');
          }
          const code = result.outputFiles[0].text;
          if (namesSecondSDK(code)) configureSecondSDK();
          const output = path.resolve(folder, `${process.env.AWS_LAMBDA_FUNCTION_NAME.replace(/[^A-Za-z0-9_-]/g, '_')}-${process.pid}.mjs`);
          fs.writeFileSync(output, code, { mode: 0o600 });
          try { return await import(pathToFileURL(output).href); } finally { fs.rmSync(output, { force: true }); }
        }

        // What a module imports is loaded past all of this: version 2 is set before, where the handler or its package names it.
        function configureSecondSDK() {
          for (const name of ['aws-sdk/global', 'aws-sdk']) {
            try { setSecondSDK(requireThere(name)); } catch {}
            if (isSecondSDKSet) return;
          }
        }

        function namesSecondSDK(text) {
          if (/["']aws-sdk["'\/]/.test(text)) return true;
          const at = nearest('package.json');
          try { return Boolean(JSON.parse(fs.readFileSync(path.join(at, 'package.json'), 'utf8')).dependencies?.['aws-sdk']); } catch { return false; }
        }

        // Whether a file is a module by its syntax: as such it is loaded past `require`, which knows nothing of our hooks.
        const isModuleText = (text) => /^\s*(?:import\s*(?:['"]|[\w$*{][^;'"]*\bfrom\s*['"])|export\s*(?:(?:default|const|let|var|function|async|class)\b|[{*]))/m.test(text);

        async function imported() {
          const ending = path.extname(handlerFile);
          const url = pathToFileURL(handlerFile).href;
          if (isBundled) {
            const esbuild = found('esbuild');
            if (esbuild) return bundled(requireThere(esbuild));
            if (namesSecondSDK(fs.readFileSync(handlerFile, 'utf8'))) configureSecondSDK();
            const tsx = found('tsx/esm/api');
            if (tsx) {
              (await import(pathToFileURL(tsx).href)).register();
              return import(url);
            }
            if (isTypeScript && (readsTypes || process.features.typescript)) return import(url);
            if (isTypeScript) {
              throw new RuntimeError(
                'Runtime.ImportModuleError',
                `${path.basename(file)} is TypeScript, and neither esbuild nor tsx is there, and this node (${process.version}) cannot read it `
                + `(the server's log says how to install it)`, '', packages.bundler);
            }
          }
          const isModule = ending === '.mjs' || (ending === '.js' && (isModulePackage() || isModuleText(fs.readFileSync(handlerFile, 'utf8'))));
          if (!isModule) {
            try { return requireThere(handlerFile); } catch (error) {
              const isModuleSyntax = error?.code === 'ERR_REQUIRE_ESM'
                || (error instanceof SyntaxError && /import statement|Unexpected token 'export'|import\.meta/.test(error.message));
              if (!isModuleSyntax || ending === '.cjs') throw error;
            }
          }
          if (namesSecondSDK(fs.readFileSync(handlerFile, 'utf8'))) configureSecondSDK();
          return import(url);
        }

        async function loaded() {
          let exported;
          try {
            exported = await imported();
          } catch (error) {
            if (error instanceof RuntimeError) throw error;
            if (error?.code === 'MODULE_NOT_FOUND' || error?.code === 'ERR_MODULE_NOT_FOUND') {
              throw importFailure(`Error: ${error.message}`, error.stack, `Error: ${withoutPaths(error.message)}`);
            }
            if (error instanceof SyntaxError) {
              const isRead = isTypeScript && !found('esbuild') && !found('tsx/esm/api');
              const hint = isRead ? "; node itself reads the types here, and not all of TypeScript as esbuild does (the server's log says how to install it)" : '';
              throw new RuntimeError('Runtime.UserCodeSyntaxError', `SyntaxError: ${error.message}${hint}`, error.stack, isRead ? packages.bundler : undefined);
            }
            throw error;
          }
          let handler = exported;
          for (const part of exportPath.split('.')) handler = handler?.[part] ?? (handler === exported ? handler?.default?.[part] : undefined);
          const name = `${path.basename(file, path.extname(file))}.${exportPath}`;
          if (handler === undefined) throw new RuntimeError('Runtime.HandlerNotFound', `${name} is undefined or not exported`);
          if (typeof handler !== 'function') throw new RuntimeError('Runtime.HandlerNotFound', `${name} is not a function`);
          return handler;
        }

        // --- Streams

        const streaming = Symbol('streaming');
        if (!process.env.AWS_LAMBDA_NODEJS_NO_GLOBAL_AWSLAMBDA) {
          globalThis.awslambda = {
            streamifyResponse(handler) { handler[streaming] = true; return handler; },
            HttpResponseStream: {
              from(stream, prelude) {
                stream.setContentType('application/vnd.awslambda.http-integration-response');
                stream.write(JSON.stringify(prelude));
                stream.write(Buffer.alloc(8));
                return stream;
              },
            },
          };
        }

        function responseStream(id) {
          let type = 'application/octet-stream';
          let request;
          let settle;
          const answered = new Promise((resolve) => { settle = resolve; });
          const begun = () => request ??= (() => {
            const made = http.request({
              host, port, agent, method: 'POST', path: `/2018-06-01/runtime/invocation/${id}/response`,
              headers: {
                'Content-Type': type, 'Lambda-Runtime-Function-Response-Mode': 'streaming', 'Transfer-Encoding': 'chunked',
                Trailer: 'Lambda-Runtime-Function-Error-Type, Lambda-Runtime-Function-Error-Body',
              },
            }, (response) => { response.resume(); response.on('end', settle); });
            made.on('error', settle);
            return made;
          })();
          return import('node:stream').then(({ Writable }) => {
            const stream = new Writable({
              write(piece, encoding, done) { begun().write(piece, encoding, done); },
              final(done) { begun().end(done); },
            });
            stream.setContentType = (value) => { type = value; };
            stream.fail = (error) => {
              const told = described(error);
              begun().addTrailers({
                'Lambda-Runtime-Function-Error-Type': told.errorType,
                'Lambda-Runtime-Function-Error-Body': Buffer.from(JSON.stringify(told)).toString('base64'),
              });
              stream.end();
            };
            stream.answered = answered;
            return stream;
          });
        }

        // --- Calls

        let current;

        function contextOf(headers) {
          const deadline = Number(headers['lambda-runtime-deadline-ms']);
          const parsed = (text) => { try { return text ? JSON.parse(text) : undefined; } catch { return undefined; } };
          return {
            callbackWaitsForEmptyEventLoop: true,
            functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
            functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
            memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
            logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
            logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
            clientContext: parsed(headers['lambda-runtime-client-context']),
            identity: parsed(headers['lambda-runtime-cognito-identity']),
            invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
            awsRequestId: headers['lambda-runtime-aws-request-id'],
            tenantId: headers['lambda-runtime-aws-tenant-id'],
            getRemainingTimeInMillis: () => deadline - Date.now(),
          };
        }

        // Runs the handler, and waits for what it answers by whatever way: a promise, the callback, the context, or nothing at all.
        function run(handler, event, context) {
          return new Promise((resolve, reject) => {
            let isOver = false;
            let whenEmpty;
            const over = (settle, value) => {
              if (isOver) return;
              isOver = true;
              current.whenIdle = undefined;
              settle(value);
            };
            const fail = (error) => over(reject, error ?? 'handled');
            const done = (error, value, waits) => {
              if (error !== undefined && error !== null) return fail(error);
              if (!waits || !context.callbackWaitsForEmptyEventLoop) return over(resolve, value);
              whenEmpty ??= () => over(resolve, value);
            };
            context.succeed = (value) => done(null, value, false);
            context.fail = (error) => fail(error);
            context.done = (error, value) => done(error, value, false);
            let result;
            // Nothing is left to happen that could bring the answer.
            current.whenIdle = () => {
              if (whenEmpty) return whenEmpty();
              if (typeof result?.then === 'function') fail(new RuntimeError('Runtime.NodeJsExit', 'The handler has not answered, and nothing is left that it could wait for.'));
              else over(resolve, null);
            };
            current.reject = fail;
            try {
              result = handler(event, context, (error, value) => done(error, value, true));
              if (typeof result?.then === 'function') result.then((value) => over(resolve, value), fail);
            } catch (error) {
              fail(error);
            }
          });
        }

        process.on('beforeExit', () => current?.whenIdle?.());

        async function last(label, error, name, code) {
          const wrapped = name ? new RuntimeError(name, visible(error?.stack ? `${error.name}: ${error.message}` : util.inspect(error)), error?.stack) : error;
          said(label, wrapped);
          const text = JSON.stringify(described(wrapped));
          try {
            const target = requestId ? `/invocation/${requestId}/error` : '/init/error';
            await post(target, text, { 'Lambda-Runtime-Function-Error-Type': described(wrapped).errorType });
          } catch {}
          process.exit(code);
        }
        process.on('uncaughtException', (error) => last('Uncaught Exception', error, undefined, 129));
        process.on('unhandledRejection', (error) => last('Unhandled Promise Rejection', error, 'Runtime.UnhandledPromiseRejection', 128));

        async function answer(handler, id, headers, body) {
          let event;
          const context = contextOf(headers);
          current = {};
          try {
            event = JSON.parse(body.toString('utf8'));
            if (handler[streaming]) {
              const stream = await responseStream(id);
              try {
                await handler(event, stream, context);
                if (!stream.writableEnded) stream.end();
              } catch (error) {
                said('Invoke Error', error);
                stream.fail(error);
              }
              return await stream.answered;
            }
            const result = await run(handler, event, context);
            let text;
            try { text = JSON.stringify(result === undefined ? null : result) ?? 'null'; } catch { throw new Error('Unable to stringify response body'); }
            await post(`/invocation/${id}/response`, text);
          } catch (error) {
            if (error?.code === 'ECONNREFUSED' || error?.code === 'ECONNRESET') process.exit(1);
            said('Invoke Error', error);
            await post(`/invocation/${id}/error`, JSON.stringify(described(error)));
          } finally {
            current = undefined;
          }
        }

        let handler;
        try {
          handler = await loaded();
        } catch (error) {
          said('Uncaught Exception', error);
          try { await post('/init/error', JSON.stringify(described(error)), { 'Lambda-Runtime-Function-Error-Type': described(error).errorType }); } catch {}
          process.exit(128);
        }

        while (true) {
          let next;
          try { next = await call('GET', '/invocation/next'); } catch { process.exit(1); }
          if (next.status !== 200) process.exit(1);
          requestId = next.headers['lambda-runtime-aws-request-id'];
          process.env._X_AMZN_TRACE_ID = next.headers['lambda-runtime-trace-id'] ?? '';
          await answer(handler, requestId, next.headers, next.body);
        }

        """#
}
