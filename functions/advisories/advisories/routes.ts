import * as z from 'zod';
import { FEED_NAMES } from '#shared/advisories/feeds.ts';
import { KevEntry } from '#shared/advisories/kev.ts';
import { AdvisoryRecord } from '#shared/advisories/records.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';

const Chance = z.number().min(0).max(1);

const Advisory = z
  .object({
    id: z.string().meta({ example: 'CVE-2021-44228' }),
    epss: z
      .object({
        probability: Chance.meta({ description: 'the chance that it is exploited within 30 days' }),
        percentile: Chance.meta({ description: 'the share of all vulnerabilities with at most this chance' }),
        date: Timestamp,
      })
      .nullable()
      .meta({ description: 'FIRST EPSS, rounded to ten-thousandths; null where the feed does not have it' }),
    kev: KevEntry.nullable().meta({ description: 'CISA KEV; null where it is not known to be exploited' }),
    cvss: AdvisoryRecord.shape.cvss.meta({ description: 'the ratings by version of CVSS: NVD, else OSV' }),
    fixed: AdvisoryRecord.shape.fixed.meta({ description: 'NVD: the first versions of products without it' }),
    aliases: z.array(z.string()).meta({ description: 'OSV: other names of the same vulnerability' }),
    packages: z
      .array(z.object({ purl: z.string(), version: z.string(), source: z.string() }))
      .meta({ description: 'OSV: the first versions of packages without it, each with the record that says so' }),
    modifiedAt: Timestamp.nullable().meta({ description: 'when NVD changed it last; null where NVD does not have it' }),
  })
  .meta({ id: 'Advisory' });
export type Advisory = z.infer<typeof Advisory>;

const AdvisoryFeed = z
  .object({
    name: z.enum(FEED_NAMES),
    source: z.string(),
    entries: z.int().nullable(),
    publishedAt: Timestamp.nullable().meta({ description: 'the time that the publisher gives' }),
    checkedAt: Timestamp.nullable().meta({ description: 'when the publisher answered last' }),
    changedAt: Timestamp.nullable(),
    failure: z
      .object({ at: Timestamp, message: z.string() })
      .nullable()
      .meta({ description: 'why the last attempt changed nothing; what was read before stays' }),
  })
  .meta({ id: 'AdvisoryFeed' });
export type AdvisoryFeed = z.infer<typeof AdvisoryFeed>;

export const advisoryRoutes = defineRoutes({
  listAdvisoryFeeds: {
    method: 'GET',
    path: '/api/v1/advisories/feeds',
    summary: 'List the feeds about vulnerabilities',
    description:
      'What the service knows of the exploitation of vulnerabilities comes from these feeds. When one changes, a task ' +
      '(`rescore_findings`) rates the findings anew whose vulnerabilities moved. A feed that is down, cut short or malformed ' +
      'changes nothing and says so in `failure`.',
    access: reads('findings:read'),
    response: z.array(AdvisoryFeed),
  },
  getAdvisory: {
    method: 'GET',
    path: '/api/v1/advisories/{advisoryId}',
    summary: 'Get what the feeds say of a vulnerability',
    description:
      'Answers for any CVE id such as `CVE-2021-44228`: one of which the feeds say nothing has `epss` and `kev` null. The id of another ' +
      'database, such as `GHSA-jfh8-c2jp-5v3q`, is answered where OSV has it; `epss` and `kev` are then those of the CVE that stands for it.',
    access: reads('findings:read'),
    response: Advisory,
  },
});
