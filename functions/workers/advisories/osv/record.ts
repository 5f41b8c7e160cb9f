import * as z from 'zod';
import type { OsvRecord } from '#shared/advisories/osv.ts';
import type { AdvisoryRecord } from '#shared/advisories/records.ts';
import { cvssScoreOf } from '#shared/reports/readers/cvss.ts';

const Severity = z.object({ type: z.string(), score: z.string() });
const Range = z.object({
  type: z.string(),
  events: z.array(z.looseObject({ fixed: z.string().optional() })).default([]),
});

/** A record of the Open Source Vulnerability format (https://ossf.github.io/osv-schema/), as far as it is kept. */
export const OsvEntry = z.object({
  id: z.string().min(1).max(100),
  modified: z.string().refine((time) => !Number.isNaN(Date.parse(time)), 'must be a time'),
  withdrawn: z.string().optional(),
  aliases: z.array(z.string()).nullish(),
  severity: z.array(Severity).nullish(),
  affected: z
    .array(
      z.object({
        package: z.object({ purl: z.string().optional() }).optional(),
        severity: z.array(Severity).nullish(),
        ranges: z.array(Range).nullish(),
      }),
    )
    .nullish(),
});

const MAX_ALIASES = 20;
const MAX_FIXED = 50;
const VERSIONS: Record<string, keyof AdvisoryRecord['cvss']> = { CVSS_V2: 'v2', CVSS_V3: 'v3', CVSS_V4: 'v4' };

/** A withdrawn record has no content. */
export async function osvRecord(entry: z.output<typeof OsvEntry>): Promise<OsvRecord> {
  const { id, modified, withdrawn, aliases, severity, affected } = entry;
  const about = { id, modifiedAt: new Date(modified).toISOString() };
  if (withdrawn) return { ...about, aliases: [], cvss: {}, fixed: [] };
  const severities = [...(severity ?? []), ...(affected ?? []).flatMap((one) => one.severity ?? [])];
  return {
    ...about,
    aliases: [...new Set(aliases ?? [])].slice(0, MAX_ALIASES),
    cvss: await ratingsOf(severities),
    fixed: fixedIn(affected ?? []),
  };
}

/** The first rating of each version of CVSS. OSV has only vectors, so the score comes from them. */
async function ratingsOf(severities: readonly z.output<typeof Severity>[]): Promise<AdvisoryRecord['cvss']> {
  const cvss: AdvisoryRecord['cvss'] = {};
  for (const { type, score: vector } of severities) {
    const version = VERSIONS[type];
    const score = version && !cvss[version] ? await cvssScoreOf(vector) : undefined;
    if (version && score !== undefined) cvss[version] = { vector, score, source: 'osv.dev' };
  }
  return cvss;
}

/** Versions of packages; commits of repositories are no versions that anybody installs. */
function fixedIn(affected: NonNullable<z.output<typeof OsvEntry>['affected']>): OsvRecord['fixed'] {
  const fixed = affected.flatMap(({ package: { purl } = {}, ranges }) =>
    (ranges ?? [])
      .filter(({ type }) => type !== 'GIT')
      .flatMap(({ events }) =>
        events.flatMap(({ fixed: version }) => (purl && version ? [{ purl: purl.toLowerCase(), version }] : [])),
      ),
  );
  return [...new Map(fixed.map((one) => [`${one.purl}@${one.version}`, one])).values()].slice(0, MAX_FIXED);
}
