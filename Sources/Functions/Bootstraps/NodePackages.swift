/// How our runtime for Node finds the packages that a function lacks, and says what installs them.
enum NodePackages {
    static let text = #"""
        // The packages that a function's files import and that are not installed, and the command that installs them. Made by Homeport.
        import fs from 'node:fs';
        import module, { createRequire } from 'node:module';
        import path from 'node:path';

        // So many files of a function are read.
        const filesMax = 256;
        const sourceEndings = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx'];
        const endings = ['', ...sourceEndings, ...sourceEndings.map((ending) => '/index' + ending)];
        const importForms = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"`])([^'"`\s$]+)\1/g;
        const typeForms = /\b(?:import|export)\s+type\b[^;'"]*\bfrom\s*(['"])[^'"]*\1/g;
        const siblingForms = /\b(?:require|import)\s*\(\s*(?:`\.\/\$\{|['"]\.\/['"]\s*\+)/;

        // The package of what is imported; undefined: it is a file, or a part of Node.
        export function packageOf(specifier) {
          if (/^(?:[.\/$#~]|[a-z]+:)/.test(specifier) || !/^(?:@[\w.-]+\/)?[\w.-]+(?:\/|$)/.test(specifier)) return undefined;
          const name = specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
          return module.builtinModules.includes(name) ? undefined : name;
        }

        // It is a part of Lambda's own image.
        export const isOfSDK = (name) => name === 'aws-sdk' || name.startsWith('@aws-sdk/') || name.startsWith('@smithy/');

        export class Packages {
          #handlerFile; #sdkFolder; #isAlias; #files;

          constructor(handlerFile, sdkFolder, isAlias) {
            this.#handlerFile = handlerFile;
            this.#sdkFolder = sdkFolder;
            this.#isAlias = isAlias;
          }

          // The package.json of the handler's folder and of all above, the nearest first.
          get #packageFiles() {
            if (this.#files) return this.#files;
            this.#files = [];
            for (let at = path.dirname(this.#handlerFile); path.basename(at) !== 'node_modules'; at = path.dirname(at)) {
              try {
                const { dependencies, devDependencies, optionalDependencies, peerDependencies } = JSON.parse(fs.readFileSync(path.join(at, 'package.json'), 'utf8'));
                this.#files.push({ folder: at, names: new Set(Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies })) });
              } catch {}
              if (path.dirname(at) === at) break;
            }
            return this.#files;
          }

          // Where a package would be declared: in the nearest package.json that declares any. Gen 2's own says nothing but its type.
          get #home() {
            return (this.#packageFiles.find(({ names }) => names.size > 0) ?? this.#packageFiles[0])?.folder;
          }

          #isThere(name, file = this.#handlerFile) {
            return (createRequire(file).resolve.paths(name) ?? []).some((folder) => fs.existsSync(path.join(folder, name)));
          }

          #declares(name) { return this.#packageFiles.find(({ names }) => names.has(name))?.folder; }

          // What is imported for its types alone needs no package.
          #isOfTypes(name) {
            const types = '@types/' + name.replace(/^@/, '').replace('/', '__');
            return this.#declares(name) === undefined && (this.#declares(types) !== undefined || this.#isThere(types));
          }

          // All packages that are not there, of the handler's file and of all that it imports.
          #missing() {
            const names = new Set();
            const files = [this.#handlerFile];
            for (let place = 0; place < Math.min(files.length, filesMax); place++) {
              const file = files[place];
              let text;
              try { text = fs.readFileSync(file, 'utf8').replace(typeForms, ''); } catch { continue; }
              if (siblingForms.test(text)) {
                for (const name of fs.readdirSync(path.dirname(file))) {
                  const sibling = path.join(path.dirname(file), name);
                  if (sourceEndings.includes(path.extname(name)) && !/\.(?:test|spec|d)\.[cm]?[jt]sx?$/.test(name) && !files.includes(sibling)) files.push(sibling);
                }
              }
              for (const [, , specifier] of text.matchAll(importForms)) {
                if (this.#isAlias(specifier)) continue;
                if (specifier.startsWith('.')) {
                  const written = path.resolve(path.dirname(file), specifier);
                  const names = [...endings.map((ending) => written + ending), written.replace(/\.([cm]?)js$/, '.$1ts')];
                  const found = names.find((name) => sourceEndings.includes(path.extname(name)) && fs.statSync(name, { throwIfNoEntry: false })?.isFile());
                  if (found && !files.includes(found)) files.push(found);
                  continue;
                }
                const name = packageOf(specifier);
                if (name && !this.#isThere(name, file) && !this.#isOfTypes(name)) names.add(name);
              }
            }
            return names;
          }

          // The command that installs a package and all else that is missing; undefined: it is no package.
          command(specifier) {
            const first = packageOf(specifier ?? '');
            if (!first) return undefined;
            const places = new Map();
            const add = (folder, name) => {
              const names = places.get(folder) ?? places.set(folder, new Set()).get(folder);
              if (name) names.add(name);
            };
            for (const name of new Set([first, ...this.#missing()])) {
              const declared = this.#declares(name);
              // What a package.json names comes with the rest of it.
              if (declared) add(declared);
              else if (isOfSDK(name)) add(this.#sdkFolder, name);
              else add(this.#home, name);
            }
            const commands = [...places].map(([folder, names]) => ['npm install', folder && `--prefix ${folder}`, ...names].filter(Boolean).join(' '));
            return commands.join(' && ');
          }

          // The command that installs a bundler for TypeScript, and what is missing besides.
          get bundler() {
            const brings = ({ names }) => names.has('esbuild') || names.has('@aws-amplify/backend') || names.has('@aws-amplify/backend-cli');
            const declared = this.#packageFiles.find(brings)?.folder;
            if (declared) return `npm install --prefix ${declared}`;
            return ['npm install --save-dev', this.#home && `--prefix ${this.#home}`, 'esbuild'].filter(Boolean).join(' ');
          }
        }

        """#
}
