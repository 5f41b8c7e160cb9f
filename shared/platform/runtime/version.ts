/** The version of this service and of its interface; a test compares it with package.json. */
export const VERSION = '1.8.0';
