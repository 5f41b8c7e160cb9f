import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { service } from '../service.ts';
import { ASSUMED, type Line, listPrices, type Measured, monthOf, TENANTS, totalOf } from './month.ts';

const results = new URL('../../bench/results.json', import.meta.url);

const Results = z.record(
  z.string(),
  z.looseObject({
    rows: z.array(
      z.looseObject({
        operation: z.string(),
        size: z.string().optional(),
        readUnits: z.number().optional(),
        writeUnits: z.number().optional(),
        seconds: z.number().optional(),
      }),
    ),
  }),
);

/** The counts of the stack (test/infra/alarms.test.ts bounds the alarm metrics). */
const STACK = {
  alarmMetrics: 53,
  queues: service.workers.length,
  secrets: 3,
  schedules: service.schedules,
};

function measuredIn(results: z.infer<typeof Results>): Measured {
  return (bench, operation, size) => {
    const row = results[bench]?.rows.find((one) => one.operation === operation && (!size || one.size === size));
    if (row?.readUnits === undefined || row.writeUnits === undefined)
      throw new Error(`bench/results.json has no units of ${bench}: ${operation} ${size ?? ''}`);
    return { readUnits: row.readUnits, writeUnits: row.writeUnits, seconds: row.seconds ?? 0 };
  };
}

type Month = { name: string; lines: Line[]; total: number };

/** The bill of each tenant, from bench/results.json and prices.json. */
export function months(): Month[] {
  const { dollars } = listPrices();
  const measured = measuredIn(Results.parse(JSON.parse(readFileSync(results, 'utf8'))));
  return TENANTS.map((tenant) => {
    const lines = monthOf(tenant, { measured, dollars, stack: STACK });
    return { name: tenant.name, lines, total: totalOf(lines) };
  });
}

/** `docs/costs.md`. */
export const billDocument = (): string => `# What a tenant costs

Made by \`npm run docs\` from the units that \`npm run bench\` measured (\`bench/results.json\`), the list prices in \`infra/bill/prices.json\`, and
the assumptions of the second table. Not included: events of logs ([decisions/0037-events.md](decisions/0037-events.md) has their bill), traffic to the
internet, \`canary\`, \`copyRegion\`, and free tiers.

${billTables()}
## The dearest operations

- **polls of scanners without work**: 60 to 120 seconds apart with jitter while no work waits, one read unit and at most one write unit a minute, no line in
  the access log, no trace but one in a hundred. Half of it is the gateway's price of a request, so only rarer polls make it less.
- **the stack without work: alarms, queues that are asked, key, secrets, schedules**: one alarm reads the errors of ten functions, throttles are watched once for the
  account, and dashboards stay within the free metrics: ${STACK.alarmMetrics} metrics of alarms, instead of 240 with three for each function. Policies are part of their roles, and one key
  serves table, bucket, secrets and topic, with a bucket key instead of a call per object.
- **tasks of scanners**: 256 tasks are made in one step, a poll leases up to ten, and a finished task gives its places up in the same transaction.
- **requests of people and programs**: dashboards read counters and no records; every page of a list costs the same.
- **storage and its backups**: list rows stay at 1 KB, long texts are deflated, replaced versions expire within a day where they can be made again.
- **findings that are seen again**: the state of a scan is one packed object, so that an unchanged finding writes 0.04 units instead of 7.
- **new findings with their vulnerabilities**: the counters of a batch are summed before they are written, and a record is read once for all its views.
`;

/** The tables of the page. */
function billTables(): string {
  const { date, region, source } = listPrices();
  const all = months();
  const [large] = all.toReversed();
  const cell = (month: Month, operation: string) =>
    (month.lines.find((line) => line.operation === operation)?.dollars ?? 0).toFixed(2);
  const rows = (large?.lines ?? []).map(
    ({ operation }) => `| ${operation} | ${all.map((month) => cell(month, operation)).join(' | ')} |`,
  );
  const sizes = TENANTS.map(
    ({ name, scanners, findings }) => `${name}: ${counted(scanners)} scanners, ${counted(findings)} findings`,
  );
  const assumed = Object.entries(ASSUMED).map(([name, value]) => `| \`${name}\` | ${value} |`);
  return `Prices of ${region}, ${date} (${source}). Dollars a month:

| | ${sizes.join(' | ')} |
|---|${'---|'.repeat(sizes.length)}
${rows.join('\n')}
| **all** | ${all.map(({ total }) => `**${total.toFixed(2)}**`).join(' | ')} |

| assumption (\`infra/bill/month.ts\`) | |
|---|---|
${assumed.join('\n')}
`;
}

const counted = (number: number): string => number.toLocaleString('en-US');
