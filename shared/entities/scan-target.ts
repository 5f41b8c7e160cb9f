import * as z from 'zod';

/** What an engagement may name as a target. */
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

/** Zone: a private address is another thing in another zone; null is no zone. */
export const ScanTarget = z.object({
  type: z.enum(TARGET_TYPES),
  value: z.string().trim().min(1).max(2000),
  zone: z.string().trim().min(1).max(120).nullable().default(null),
});
export type ScanTarget = z.infer<typeof ScanTarget>;
