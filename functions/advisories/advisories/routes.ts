import * as z from 'zod';
import { FEED_NAMES } from '#shared/advisories/feeds.ts';
import { KevEntry } from '#shared/advisories/kev.ts';
import { AdvisoryRecord } from '#shared/advisories/records.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get } from '#shared/platform/http/route.ts';

const Chance = z.number().min(0).max(1);

const Advisory = objectNamed('Advisory', {
  id: z.string().meta({ example: 'CVE-2021-44228' }),
  epss: z
    .object({
      probability: Chance.meta({ description: 'the chance that it is exploited within 30 days' }),
      percentile: Chance.meta({ description: 'the share of all vulnerabilities with at most this chance' }),
      date: Timestamp,
    })
    .nullable()
    .meta({ description: 'FIRST EPSS, rounded to ten-thousandths; null where the feed does not have it' }),
  kev: KevEntry.nullable().meta({ description: 'CISA KEV; null if it is not known to be exploited' }),
  cvss: AdvisoryRecord.shape.cvss.meta({ description: 'the ratings by version of CVSS: NVD, else OSV' }),
  fixed: AdvisoryRecord.shape.fixed.meta({ description: 'NVD: the first versions of products without it' }),
  aliases: z.array(z.string()).meta({ description: 'OSV: other names of the same vulnerability' }),
  packages: z
    .array(z.object({ purl: z.string(), version: z.string(), source: z.string() }))
    .meta({ description: 'OSV: the first versions of packages without it, each with the record that says so' }),
  modifiedAt: Timestamp.nullable().meta({ description: 'when NVD changed it last; null where NVD does not have it' }),
});
export type Advisory = z.infer<typeof Advisory>;

const AdvisoryFeed = objectNamed('AdvisoryFeed', {
  name: z.enum(FEED_NAMES),
  source: z.string(),
  sample: z.boolean().meta({
    description:
      'true on a machine of a developer: the service has an excerpt of some entries and no data about other vulnerabilities; ' +
      'docs/operate.md has the settings that fetch the whole list',
  }),
  entries: z.int().nullable(),
  publishedAt: Timestamp.nullable().meta({ description: 'the time that the publisher gives' }),
  checkedAt: Timestamp.nullable().meta({ description: 'when the publisher answered last' }),
  changedAt: Timestamp.nullable(),
  failure: z
    .object({ at: Timestamp, message: z.string() })
    .nullable()
    .meta({ description: 'why the last attempt changed nothing; what was read before stays' }),
});
export type AdvisoryFeed = z.infer<typeof AdvisoryFeed>;

export const advisoryRoutes = defineRoutes({
  listAdvisoryFeeds: get('/api/v1/advisories/feeds', {
    summary: 'List the feeds of vulnerability data',
    description:
      'The data about the exploitation of vulnerabilities come from these feeds. When a feed changes, a task (`rescore_findings`) ' +
      'rates the findings again whose vulnerabilities changed. A feed that is down, truncated or malformed changes nothing and has ' +
      'the reason in `failure`.',
    access: reads('findings:read'),
    inPart: 'same',
    response: z.array(AdvisoryFeed),
  }),
  getAdvisory: get('/api/v1/advisories/{advisoryId}', {
    summary: 'Get the data of the feeds about a vulnerability',
    description:
      'Accepts any CVE id such as `CVE-2021-44228`; `epss` and `kev` are null if the feeds do not have the CVE. The id of another ' +
      'database, such as `GHSA-jfh8-c2jp-5v3q`, is accepted if OSV has it; `epss` and `kev` then come from the corresponding CVE.',
    access: reads('findings:read'),
    inPart: 'same',
    response: Advisory,
  }),
});
