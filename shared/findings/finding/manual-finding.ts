import * as z from 'zod';
import { TARGET_TYPES } from '#shared/assets/targets/scan-target.ts';
import { Id, objectNamed, trimmedText } from '#shared/platform/http/records.ts';
import { LIMITS, ReportEvidence, ReportLocation, Severity } from '#shared/reports/report/report.ts';
import { Finding } from './finding.ts';

const KB = 1024;

/** The limit is in bytes, because a row's limit is. */
const text = (most: number) =>
  trimmedText(most).refine((given) => Buffer.byteLength(given) <= most, `must be at most ${most} bytes of UTF-8`);

const identifier = (pattern: RegExp, problem: string) =>
  z
    .string()
    .trim()
    .regex(pattern, problem)
    .overwrite((given) => given.toUpperCase());

/** The fields that the author of a manual finding writes; an imported finding has them from its report. */
const written = {
  title: text(200).meta({ example: 'The password reset reveals whether an account exists' }),
  description: text(16 * KB)
    .nullable()
    .default(null),
  locationDetail: ReportLocation.extend({
    host: text(300).optional(),
    protocol: text(20).optional(),
    url: text(LIMITS.location).optional(),
    path: text(LIMITS.location).optional(),
    commit: text(120).optional(),
    snippet: text(LIMITS.snippet).optional(),
  })
    .default({})
    .meta({ description: '`location` is made of it', example: { url: 'https://shop.example.com/reset' } }),
  cves: z
    .array(identifier(/^CVE-\d{4}-\d{4,12}$/i, 'must be a CVE such as CVE-2021-44228'))
    .max(LIMITS.identifiers)
    .default([]),
  cwes: z
    .array(identifier(/^CWE-\d{1,6}$/i, 'must be a CWE such as CWE-79'))
    .max(LIMITS.identifiers)
    .default([])
    .meta({ example: ['CWE-204'] }),
  cvssVector: text(300).nullable().default(null).meta({
    description: 'of version 2, 3.0, 3.1 or 4.0; `cvssScore` follows from it',
    example: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  }),
  evidence: z
    .array(ReportEvidence.extend({ content: text(LIMITS.evidence) }))
    .max(LIMITS.evidenceCount)
    .default([]),
  references: z
    .array(
      z.url({ protocol: /^https?$/, error: 'must be an address such as https://example.com/advisory' }).max(2 * KB),
    )
    .max(LIMITS.references)
    .default([]),
  remediation: text(8 * KB)
    .nullable()
    .default(null),
};

/** A finding whose texts people may change. */
export const ManualFinding = Finding.extend(written);

export type Written = z.output<z.ZodObject<typeof written>>;

const { tags, assigneeId, dueAt } = Finding.shape;

/** A finding that somebody writes: a test by hand found it, or a report that the service does not read. */
export const FindingCreate = objectNamed('FindingCreate', {
  ...written,
  severity: Severity.meta({ example: 'low' }),
  assetId: Id.optional().meta({ description: 'a known asset; or `asset`' }),
  asset: z
    .strictObject({ type: z.enum(TARGET_TYPES), value: text(2048), zone: text(120).nullable().default(null) })
    .optional()
    .meta({
      description: 'the asset of the finding; a new asset is created if needed. Or `assetId`',
      example: { type: 'url', value: 'https://shop.example.com' },
    }),
  ref: text(300)
    .optional()
    .meta({ description: 'the branch: only the default branch is allowed; absent: the default branch' }),
  engagementId: Id.optional().meta({
    description: 'the engagement that found it; its lead and members may write its findings',
  }),
  tags: tags.default([]),
  assigneeId: assigneeId.default(null),
  dueAt: dueAt.optional().meta({ description: 'overrides the date by policy; null: no date' }),
});
export type FindingCreate = z.output<typeof FindingCreate>;
