/** The version of the interface that this service speaks; a test compares it with package.json. */
export const VERSION = '1.6.0';
