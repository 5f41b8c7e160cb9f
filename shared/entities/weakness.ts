/** The kinds of tools that look at an asset, by what they look for. */
export const LOOKS = ['code', 'secrets', 'dependencies', 'web', 'host', 'ports', 'tls', 'cloud', 'cluster'] as const;
export type Look = (typeof LOOKS)[number];

/** The weaknesses that findings are of, between these and the controls of frameworks. They are values of the index and of counters: never changed. */
export const WEAKNESS_NAMES = [
  'access',
  'authentication',
  'backup',
  'certificates',
  'cloud_hardening',
  'cloud_identity',
  'cluster_hardening',
  'code_hardening',
  'components',
  'crypto',
  'csrf',
  'design',
  'disclosure',
  'encryption_at_rest',
  'errors',
  'exposure',
  'host_hardening',
  'injection',
  'integrity',
  'logging',
  'memory',
  'monitoring',
  'patching',
  'races',
  'redirect',
  'resources',
  'secrets',
  'session',
  'ssrf',
  'transport',
  'traversal',
  'upload',
  'web_hardening',
  'xss',
  'xxe',
] as const;
export type Weakness = (typeof WEAKNESS_NAMES)[number];
