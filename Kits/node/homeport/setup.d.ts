/** Starts a server for a test run, and leads the environment to it. Within `homeport exec` it does nothing. */
declare function setup(): Promise<(() => Promise<void>) | undefined>;
export default setup;
