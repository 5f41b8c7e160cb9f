/** The environment of a shell in which nothing is set, with the compiled modules of this run: without them a program starts a second later. */
export const plainEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
