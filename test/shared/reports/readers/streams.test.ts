import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readReport } from '#shared/reports/formats/read.ts';
import { fixture, recordedReports } from '../../../support/recorded.ts';
import { runs } from '../../../support/tier.ts';
import { chunked, codeOf, collect, eventsOf, findingsOf } from './reading.ts';

/** Where nothing but white space is left; cutting there takes nothing away. */
const contentEnd = (bytes: Buffer) => bytes.toString('latin1').trimEnd().length;

describe.each(recordedReports)('%s: %s', (format, name) => {
  const bytes = fixture(name);

  test('gives the same events however the network cuts it into chunks', async () => {
    const whole = await eventsOf(format, bytes);
    for (const size of [1, 2, 3, 7]) expect(await eventsOf(format, bytes, size)).toEqual(whole);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const open = async function* () {
          for (const [index, edge] of edges.slice(1).entries()) yield bytes.subarray(edges[index], edge);
        };
        expect(await collect(readReport(format, open))).toEqual(whole);
      }),
      { numRuns: runs(6, 50) },
    );
  });

  test('does not depend on a source that keeps its buffer: reused chunks change nothing', async () => {
    const whole = await eventsOf(format, bytes);
    const reusing = async function* () {
      const buffer = Buffer.alloc(5);
      for await (const chunk of chunked(bytes, 5)()) yield buffer.subarray(0, Buffer.from(chunk).copy(buffer));
    };
    expect(await collect(readReport(format, reusing))).toEqual(whole);
  });

  // A CSV and a tag-value document end in any character; of the CSV only a cut within its rows can be told, and SPDX closes nothing.
  test.skipIf(/\.(csv|spdx)$/.test(name))(
    'cut off anywhere it is refused, never taken for a shorter scan that closes findings',
    async () => {
      const end = contentEnd(bytes);
      const text = bytes.toString('latin1');
      // Between two JSON lines nothing tells the cut; that is a property of the format.
      const isEdge = (cut: number) => name.endsWith('.jsonl') && (text[cut] === '\n' || text[cut - 1] === '\n');
      const cuts = fc.integer({ min: 0, max: end - 1 }).filter((cut) => !isEdge(cut));
      await fc.assert(
        fc.asyncProperty(cuts, async (cut) => {
          expect(await codeOf(eventsOf(format, bytes.subarray(0, cut)))).not.toBe('none');
        }),
        { numRuns: runs(40, 300) },
      );
    },
  );

  test('damaged at any byte it ends in findings or in a named error, never in a crash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, value) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        await codeOf(eventsOf(format, damaged));
      }),
      { numRuns: runs(30, 200) },
    );
  });
});

test('a cut between two JSON lines of Nuclei loses only what comes after it', async () => {
  const bytes = fixture('nuclei/lines.jsonl');
  const firstLine = bytes.subarray(0, bytes.indexOf('\n') + 1);
  expect(findingsOf(await eventsOf('nuclei', firstLine))).toHaveLength(1);
});

test.each(['nuclei/lines.jsonl', 'trufflehog/v2.jsonl', 'trufflehog/v3.jsonl'])(
  '%s: entries that jq broke into several lines are the same findings, and none is lost when the last is cut off',
  async (file) => {
    const lines = fixture(file).toString().trim().split('\n');
    const broken = lines.map((line) => JSON.stringify(JSON.parse(line), null, 2)).join('\n');
    expect(findingsOf(await eventsOf('auto', broken, 7))).toEqual(findingsOf(await eventsOf('auto', fixture(file))));
    expect(await codeOf(eventsOf('auto', broken.slice(0, -1)))).toBe('truncated_report');
  },
);

test('any JSON in place of a result is a finding, is rejected or is passed over, and the next one is still read', async () => {
  const good = { ruleId: 'last', message: { text: 'm' } };
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...SARIF_KEYS), fc.jsonValue()),
      async (value, result) => {
        const runs = [{ tool: { driver: { name: 'demo' } }, results: [value, result, good] }];
        const findings = findingsOf(await eventsOf('sarif', JSON.stringify({ version: '2.1.0', runs })));
        expect(findings.at(-1)?.ruleId).toBe('last');
      },
    ),
  );
});

const SARIF_KEYS = [
  'ruleId',
  'rule',
  'ruleIndex',
  'message',
  'locations',
  'level',
  'codeFlows',
  'fingerprints',
  'properties',
  'taxa',
];

const LITTLE = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

test.each(recordedReports)(
  '%s: %s that a Windows shell saved as UTF-16 is read like the original',
  async (format, name) => {
    expect(await eventsOf(format, LITTLE(fixture(name).toString()))).toEqual(await eventsOf(format, fixture(name)));
  },
);

test('the mark at the beginning of a report decides on its encoding, in chunks of any size', async () => {
  const text = fixture('sarif/gosec.sarif').toString();
  const original = await eventsOf('sarif', text);
  for (const size of [1, 3, 1024]) {
    expect(await eventsOf('auto', LITTLE(text), size)).toEqual(original);
    expect(await eventsOf('auto', LITTLE(text).swap16(), size)).toEqual(original);
    expect(await eventsOf('auto', `\ufeff${text}`, size)).toEqual(original);
  }
});

test('an XML declaration of another encoding does not change what the mark says', async () => {
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>\n<nmaprun scanner="nmap"><host><address addr="10.0.0.1" addrtype="ipv4"/>
    <ports><port protocol="tcp" portid="80"><state state="open"/><service name="http" product="Bär"/></port></ports></host><runstats><finished time="1" exit="success"/></runstats></nmaprun>`;
  const original = await eventsOf('nmap', xml('UTF-8'));
  expect(JSON.stringify(original)).toContain('Bär');
  for (const encoding of ['ISO-8859-1', 'UTF-16', 'UCS-2']) {
    expect(await eventsOf('auto', LITTLE(xml(encoding)))).toEqual(original);
    expect(await eventsOf('auto', `\ufeff${xml(encoding)}`)).toEqual(original);
  }
});
