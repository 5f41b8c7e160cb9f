import * as z from 'zod';

/** The types of target of an engagement. */
export const TARGET_TYPES = [
  'host',
  'cidr',
  'domain',
  'url',
  'repository',
  'application',
  'cloud_account',
  'container_image',
] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** Targets, or exclusions, of one engagement. */
export const MAX_TARGETS = 1000;

/** `zone`: a private address is another host in another zone; null: no zone. */
export const ScanTarget = z.object({
  type: z.enum(TARGET_TYPES),
  value: z.string().trim().min(1).max(2000),
  zone: z.string().trim().min(1).max(120).nullable().default(null),
});
export type ScanTarget = z.infer<typeof ScanTarget>;

/**
 * The work that a scanner can do. A scanner may name types that this release does not know; it gets no task of these
 * types.
 */
export const TASK_TYPES = [
  'network',
  'web',
  'sast',
  'dependencies',
  'secrets',
  'container',
  'cloud',
  'configuration',
  'tls',
] as const;
export const TaskType = z.enum(TASK_TYPES);
export type TaskType = z.infer<typeof TaskType>;
