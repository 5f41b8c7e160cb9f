import { CLOUD_RULES } from './cloud.ts';
import { LINUX_RULES } from './linux.ts';
import { WINDOWS_RULES } from './windows.ts';

/** Raised with each change of the rules. */
export const STARTER_VERSION = 1;

/** The rules that come with the service, by a name that never changes. */
export const STARTER_RULES: Readonly<Record<string, string>> = { ...LINUX_RULES, ...WINDOWS_RULES, ...CLOUD_RULES };
