/** A server that does not start, or does not do what it is asked. */
export class HomeportError extends Error {}

/** Environment variables, as `process.env`. */
export type Environment = Record<string, string | undefined>;

export interface OperationOptions {
  /** The token of a user. Default: the API key is sent. */
  token?: string;
  /** False: the whole answer is returned, errors included. */
  check?: boolean;
}

export interface Message {
  to: string;
  user?: string | null;
  medium: 'EMAIL' | 'SMS';
  kind: string;
  subject?: string | null;
  text?: string | null;
  html?: string | null;
  code?: string | null;
  from?: string | null;
  createdAt: string;
}

/** A server or a world, with what a test may do with it. */
export class Backend {
  /** The address, without a path. */
  readonly url: string;
  readonly graphqlUrl: string;
  /** The key for what is below `/_homeport`. */
  readonly testKey: string | null;
  /** A key of the API. */
  readonly apiKey: string | null;
  /** The content of `amplify_outputs.json`, for `Amplify.configure`. */
  readonly outputs: any;
  /** The environment variables of a program that should use it; null: the variable should not be set. */
  readonly variables: Record<string, string | null>;

  /** The environment of a program that should use it. */
  environment(base?: Environment): Environment;
  /** Leads the environment of this process to it; the answer puts back what was there. */
  useEnvironment(): () => void;
  /** Runs an operation, and returns its data. */
  graphql<Data = any>(query: string, variables?: Record<string, unknown>, options?: OperationOptions): Promise<Data>;
  /** An ID token of a user. */
  token(username: string, options?: { groups?: string[] }): Promise<string>;
  /** Puts all data back to the start. */
  reset(): Promise<void>;
  snapshot(name: string): Promise<void>;
  restore(name: string): Promise<void>;
  /** Adds records, each as `{ type: 'Todo', record: {…} }`. */
  seed(records: object[], options?: { replace?: boolean }): Promise<{ imported: number; present: number }>;
  setTime(moment: string | number | Date): Promise<void>;
  moveTime(milliseconds: number): Promise<void>;
  resetTime(): Promise<void>;
  /** Has requests fail, by rules as in docs/testing.md. */
  addFaults(...rules: object[]): Promise<void>;
  clearFaults(): Promise<void>;
  /** The mails and text messages that were sent, the newest last. */
  messages(options?: { to?: string; waitMilliseconds?: number }): Promise<Message[]>;
  /** The requests that were received. */
  requests(): Promise<Record<string, any>[]>;
  /** Asks for something below `/_homeport`. */
  control(method: string, path: string, body?: unknown): Promise<any>;
}

/** A world: it began with a copy of its server's state, and nothing else sees it. */
export class World extends Backend {
  readonly name: string;
  /** Ends it, with all that it has. */
  end(): Promise<void>;
}

export interface WorldOptions {
  name?: string;
  /** Begins with a snapshot. Default: with what is there now. */
  snapshot?: string;
  /** Begins as at the start. */
  start?: boolean;
  /** Ends after so long without a request. Default: 600. */
  idleSeconds?: number;
}

/** A server, which ends with this process, however that ends. */
export class Server extends Backend {
  world(options?: WorldOptions): Promise<World>;
  stop(): Promise<void>;
}

export interface StartOptions {
  /** The schema, a file or a folder of them. Default: the project of the folder. */
  schema?: string;
  config?: string;
  /** A file of JSON lines. */
  seed?: string;
  /** A command of the shell that fills the server before. */
  seedCommand?: string;
  /** More options of `homeport exec`. */
  arguments?: string[];
  cwd?: string;
  program?: string;
}

/** Starts a server for tests: on a free port, with an empty database in memory. */
export function startHomeport(options?: StartOptions): Promise<Server>;
/** The server that the environment leads to; null where there is none. */
export function connect(variables?: Environment): Server | null;
/** A world of the server that the environment leads to: of `homeport/setup`, or of `homeport exec`. */
export function world(options?: WorldOptions): Promise<World>;
export function findProgram(): string;
