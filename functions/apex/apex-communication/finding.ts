import * as z from 'zod';
import { TARGET_TYPES } from '#shared/assets/targets/scan-target.ts';
import { LIMITS, Severity } from '#shared/reports/report/report.ts';

/** A finding as an appliance reports it. */
export const ApexFinding = z.object({
  externalId: z.string().trim().min(1).max(200),
  title: z.string().trim().min(1).max(300),
  severity: Severity,
  confidence: z.enum(['confirmed', 'firm', 'tentative']).default('firm'),
  description: z.string().max(16_000).optional(),
  target: z
    .object({
      type: z.enum(TARGET_TYPES),
      value: z.string().trim().min(1).max(2000),
      zone: z.string().trim().min(1).max(120).nullish(),
      port: z.int().min(0).max(65_535).optional(),
      path: z.string().max(2000).optional(),
    })
    .optional()
    .meta({ description: 'may be left out when the task has one target' }),
  cves: z.array(z.string().max(40)).max(50).default([]),
  cwes: z.array(z.string().max(40)).max(50).default([]),
  cvssVector: z.string().max(200).optional(),
  attackTechniques: z.array(z.string().max(40)).max(50).default([]).meta({ description: 'ATT&CK ids' }),
  evidence: z
    .array(
      z.object({
        kind: z.enum(['http', 'command', 'screenshot', 'text']),
        content: z.string().max(64_000).optional(),
        uploadId: z.string().max(120).optional(),
      }),
    )
    .max(20)
    .default([])
    .meta({
      description: `the first ${LIMITS.evidenceCount} are kept, with ${LIMITS.evidence / 1024} KB each; send longer evidence as an upload`,
    }),
  reproduction: z
    .array(z.string().max(2000))
    .max(50)
    .default([])
    .meta({ description: `the steps; ${LIMITS.description / 1024} KB are kept together with the description` }),
  remediation: z.string().max(8000).optional(),
  references: z.array(z.string().max(2000)).max(20).default([]),
});
export type ApexFinding = z.infer<typeof ApexFinding>;
