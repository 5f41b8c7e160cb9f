declare const CLI_VERSION: string;

/** The version of package.json, which the bundle has in it. */
export const VERSION = CLI_VERSION;
