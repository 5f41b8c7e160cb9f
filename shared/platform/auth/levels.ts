/** The areas in which a custom role has a level of its own. */
export const AREA_NAMES = [
  'assets',
  'findings',
  'vulnerabilities',
  'scanning',
  'soc',
  'ticketing',
  'reports',
  'organization',
] as const;
export type RoleArea = (typeof AREA_NAMES)[number];

/** The levels of a custom role in an area. */
export const LEVEL_NAMES = ['none', 'read', 'audit', 'write', 'approve', 'manage'] as const;
/** `own`: also what only an owner may. No custom role has this level. */
export type Level = (typeof LEVEL_NAMES)[number] | 'own';

/** The built-in roles of an organization's persons and service accounts, each with its level in every area. `admin` is the administrator. */
export const BUILT_IN = {
  viewer: 'read',
  auditor: 'audit',
  analyst: 'approve',
  admin: 'manage',
  owner: 'own',
} as const satisfies Record<string, Level>;

const ASCENDING: readonly Level[] = ['none', 'read', 'write', 'approve', 'manage', 'own'];

export const isAtLeast = (level: Level, least: Exclude<Level, 'none' | 'audit'>): boolean =>
  ASCENDING.indexOf(level) >= ASCENDING.indexOf(least);

/** Whether one level may do all that another may. */
export const covers = (level: Level, other: Level): boolean =>
  level === other || other === 'none' || isAtLeast(level, other === 'audit' ? 'manage' : other);
