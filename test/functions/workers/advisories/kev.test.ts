import { expect, test } from 'vitest';
import { movedKev, packKev } from '#functions/workers/advisories/kev.ts';
import { kevIn } from '#shared/advisories/kev.ts';

const entry = (cveID: string, known = 'Unknown') => ({
  cveID,
  vendorProject: 'Apache',
  dateAdded: '2021-12-10',
  dueDate: '2021-12-24',
  knownRansomwareCampaignUse: known,
});
const catalog = (...vulnerabilities: object[]) => ({
  title: 'CISA Catalog of Known Exploited Vulnerabilities',
  dateReleased: '2026-07-01T12:00:00.000Z',
  count: vulnerabilities.length,
  vulnerabilities,
});
const packed = (...vulnerabilities: object[]) => packKev(JSON.stringify(catalog(...vulnerabilities)));

test('the catalog shows since when a vulnerability is exploited, and whether by ransomware', () => {
  const { content, entries, publishedAt } = packed(entry('CVE-2021-44228', 'Known'));
  expect(kevIn(content)).toEqual({
    'CVE-2021-44228': { addedAt: '2021-12-10', dueAt: '2021-12-24', ransomware: true },
  });
  expect({ entries, publishedAt }).toEqual({ entries: 1, publishedAt: '2026-07-01T12:00:00.000Z' });
});

test('vulnerabilities that were listed, or taken from the list, moved', () => {
  const before = packed(entry('CVE-2021-44228'), entry('CVE-2019-0708')).content;
  const after = packed(entry('CVE-2021-44228'), entry('CVE-2026-1234')).content;
  expect(movedKev(before, after)).toEqual(['CVE-2019-0708', 'CVE-2026-1234']);
  expect(movedKev(Buffer.alloc(0), before)).toEqual(['CVE-2021-44228', 'CVE-2019-0708']);
});

test.each([
  ['fewer entries than it says', JSON.stringify({ ...catalog(entry('CVE-2021-44228')), count: 2 }), /has 2.*has 1/],
  ['an entry without a date', JSON.stringify(catalog({ cveID: 'CVE-2021-44228' })), /vulnerabilities.0.dateAdded/],
  ['a file that was cut', JSON.stringify(catalog()).slice(0, -1), /no JSON/],
  ['a file of endless brackets', `${'['.repeat(101)}${']'.repeat(101)}`, /no JSON/],
  ['a page of HTML', '<html></html>', /no JSON/],
])('%s is refused with the reason', (_, text, reason) => {
  expect(() => packKev(text)).toThrow(reason);
});
