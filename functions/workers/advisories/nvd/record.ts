import * as z from 'zod';
import type { AdvisoryRecord } from '#shared/advisories/records.ts';

const Metric = z.object({
  source: z.string(),
  type: z.string().optional(),
  cvssData: z.object({ vectorString: z.string().max(300), baseScore: z.number().min(0).max(10) }),
});

const Cve = z.object({
  id: z.string().regex(/^CVE-\d{4}-\d{4,8}$/),
  lastModified: z.string().refine((time) => !Number.isNaN(Date.parse(time)), 'must be a time'),
  metrics: z
    .object({
      cvssMetricV40: z.array(Metric),
      cvssMetricV31: z.array(Metric),
      cvssMetricV30: z.array(Metric),
      cvssMetricV2: z.array(Metric),
    })
    .partial()
    .default({}),
  configurations: z
    .array(
      z.object({
        nodes: z.array(
          z.object({
            cpeMatch: z
              .array(
                z.object({
                  vulnerable: z.boolean(),
                  criteria: z.string(),
                  versionEndExcluding: z.string().optional(),
                }),
              )
              .default([]),
          }),
        ),
      }),
    )
    .default([]),
});

/** An entry of the list `vulnerabilities`, as far as it is kept. */
export const NvdEntry = z.object({ cve: Cve });

const MAX_FIXED = 50;

/** The record of an entry of NVD's JSON 2.0 (https://csrc.nist.gov/schema/nvd/api/2.0/cve_api_json_2.0.schema). */
export function nvdRecord({
  cve: { id, lastModified, metrics, configurations },
}: z.output<typeof NvdEntry>): AdvisoryRecord {
  const { cvssMetricV40 = [], cvssMetricV31 = [], cvssMetricV30 = [], cvssMetricV2 = [] } = metrics;
  const matches = configurations.flatMap(({ nodes }) => nodes.flatMap(({ cpeMatch }) => cpeMatch));
  const fixed = matches.flatMap(({ vulnerable, criteria, versionEndExcluding: version }) => {
    const [, , , vendor, product] = criteria.split(/(?<!\\):/);
    return vulnerable && version && vendor && product ? [{ vendor, product, version }] : [];
  });
  const cvss = {
    v2: ratingOf(cvssMetricV2),
    v3: ratingOf([...cvssMetricV31, ...cvssMetricV30]),
    v4: ratingOf(cvssMetricV40),
  };
  return {
    id,
    // NVD's times are UTC and do not say so
    modifiedAt: new Date(/Z$|[+-]\d\d:\d\d$/.test(lastModified) ? lastModified : `${lastModified}Z`).toISOString(),
    cvss: JSON.parse(JSON.stringify(cvss)),
    fixed: [...new Map(fixed.map((one) => [Object.values(one).join(' '), one])).values()].slice(0, MAX_FIXED),
  };
}

/** NVD's own rating, else the first. */
function ratingOf(metrics: readonly z.output<typeof Metric>[]): AdvisoryRecord['cvss']['v3'] {
  const metric = metrics.find(({ type }) => type === 'Primary') ?? metrics[0];
  return metric && { vector: metric.cvssData.vectorString, score: metric.cvssData.baseScore, source: metric.source };
}
