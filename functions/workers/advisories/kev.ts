import * as z from 'zod';
import { type Kev, kevIn } from '#shared/advisories/kev.ts';
import { parseBounded } from '#shared/platform/runtime/json-cost.ts';
import { FeedError } from './feed-error.ts';

const Catalog = z.object({
  dateReleased: z.string().refine((date) => !Number.isNaN(Date.parse(date)), 'must be a time'),
  count: z.int(),
  vulnerabilities: z.array(
    z.object({
      cveID: z.string().regex(/^CVE-\d{4}-\d{4,8}$/),
      dateAdded: z.iso.date(),
      dueDate: z.iso.date(),
      knownRansomwareCampaignUse: z.string().optional(),
    }),
  ),
});

/**
 * Packs CISA's catalog of known exploited vulnerabilities (https://www.cisa.gov/known-exploited-vulnerabilities-catalog).
 * @throws FeedError
 */
export function packKev(json: string): { content: Buffer; entries: number; publishedAt: string } {
  const { dateReleased, count, vulnerabilities } = catalogIn(json);
  if (count !== vulnerabilities.length)
    throw new FeedError(`it says that it has ${count} vulnerabilities and has ${vulnerabilities.length}`);
  const kev: Kev = Object.fromEntries(
    vulnerabilities.map(({ cveID, dateAdded, dueDate, knownRansomwareCampaignUse }) => [
      cveID,
      { addedAt: dateAdded, dueAt: dueDate, ransomware: knownRansomwareCampaignUse === 'Known' },
    ]),
  );
  const publishedAt = new Date(dateReleased).toISOString();
  return { content: Buffer.from(JSON.stringify(kev)), entries: count, publishedAt };
}

function catalogIn(json: string): z.infer<typeof Catalog> {
  try {
    return Catalog.parse(parseBounded(json));
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    throw new FeedError(issue ? `${issue.path.join('.')}: ${issue.message}` : 'it is no JSON');
  }
}

/** The vulnerabilities that were listed or taken from the list. */
export function movedKev(before: Buffer, after: Buffer): string[] {
  const [was, is] = [kevIn(before), kevIn(after)];
  return [...Object.keys(was).filter((cve) => !(cve in is)), ...Object.keys(is).filter((cve) => !(cve in was))];
}
