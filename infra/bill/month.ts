import { readFileSync } from 'node:fs';
import * as z from 'zod';

const Prices = z.object({
  date: z.iso.date(),
  region: z.string(),
  source: z.string(),
  dollars: z.object({
    writeUnit: z.number(),
    readUnit: z.number(),
    tableGigabyteMonth: z.number(),
    backupGigabyteMonth: z.number(),
    gatewayRequest: z.number(),
    functionRequest: z.number(),
    gigabyteSecond: z.number(),
    message: z.number(),
    put: z.number(),
    get: z.number(),
    objectGigabyteMonth: z.number(),
    alarmMetricMonth: z.number(),
    logGigabyte: z.number(),
    keyMonth: z.number(),
    secretMonth: z.number(),
  }),
  /** The page and the day with which each price was compared. */
  compared: z.record(z.string(), z.string()),
});
type Dollars = z.infer<typeof Prices>['dollars'];

/** The list prices in dollars, with their date and region. */
export const listPrices = () =>
  Prices.parse(JSON.parse(readFileSync(new URL('./prices.json', import.meta.url), 'utf8')));

/** The units and seconds of one operation, by `npm run bench`. */
export type Measured = (
  bench: string,
  operation: string,
  size?: string,
) => { readUnits: number; writeUnits: number; seconds: number };

type Tenant = { name: string; scanners: number; findings: number; requests: number };

export const TENANTS: readonly Tenant[] = [
  { name: 'small', scanners: 10, findings: 5_000, requests: 50_000 },
  { name: 'medium', scanners: 200, findings: 100_000, requests: 500_000 },
  { name: 'large', scanners: 5_000, findings: 1_000_000, requests: 2_000_000 },
];

/** Assumed, because nothing here measures it. docs/costs.md names each value. */
export const ASSUMED = {
  /** Between the polls of a scanner without work: the middle of 60 and 120. */
  pollSeconds: 90,
  /** Each scanner scans once a day, and each finding is seen again. */
  scansPerMonth: 30,
  /** The part of the findings that is new in a month. */
  newShare: 0.1,
  /** The duration of a poll, and of a request from a person or a program. */
  pollMilliseconds: 10,
  requestMilliseconds: 40,
  requestReadUnits: 6,
  /** A finding with its vulnerability, index and history, in the table. */
  findingKilobytes: 10,
  /** Reports and scan states in the bucket. */
  objectKilobytes: 5,
  logBytesPerRequest: 600,
  /** Lambda asks each queue by so many pollers, each for 20 seconds. */
  queuePollers: 5,
} as const;

const MONTH_SECONDS = 30 * 86_400;
const AREA_GIGABYTES = 1;
const INGEST_GIGABYTES = 1.769;

export type Line = { operation: string; dollars: number };
type Stack = { alarmMetrics: number; queues: number; secrets: number; schedules: Scheduled };
type Scheduled = readonly { everySeconds: number; runSeconds?: number; memoryMegabytes?: number }[];
type Bill = { measured: Measured; dollars: Dollars; stack: Stack };

/** A month of one tenant, the dearest operation first. */
export function monthOf(tenant: Tenant, bill: Bill): Line[] {
  const lines = [
    polls(tenant, bill),
    ...scans(tenant, bill),
    requests(tenant, bill),
    storage(tenant, bill),
    idle(bill),
  ];
  return lines.toSorted((a, b) => b.dollars - a.dollars);
}

export const totalOf = (lines: readonly Line[]): number => lines.reduce((sum, { dollars }) => sum + dollars, 0);

type Units = { readUnits: number; writeUnits: number };
const table = ({ readUnits, writeUnits }: Units, price: Dollars): number =>
  readUnits * price.readUnit + writeUnits * price.writeUnit;

/** A request through the gateway to a function of an area. */
const request = (milliseconds: number, price: Dollars): number =>
  price.gatewayRequest + price.functionRequest + (milliseconds / 1000) * AREA_GIGABYTES * price.gigabyteSecond;

function polls({ scanners }: Tenant, { measured, dollars }: Bill): Line {
  const count = (scanners * MONTH_SECONDS) / ASSUMED.pollSeconds;
  const each =
    request(ASSUMED.pollMilliseconds, dollars) + table(measured('leases', 'poll, no work, heartbeat'), dollars);
  return { operation: 'polls of scanners without work', dollars: count * each };
}

function scans({ scanners, findings }: Tenant, { measured, dollars }: Bill): Line[] {
  const { scansPerMonth, newShare, requestMilliseconds } = ASSUMED;
  const making = measured('leases', 'making 256 tasks');
  const task = ['poll, one task', 'completing one task'].map((name) => measured('leases', name));
  const perTask = (by: 'readUnits' | 'writeUnits') => making[by] / 256 + task.reduce((sum, one) => sum + one[by], 0);
  const units = { readUnits: perTask('readUnits'), writeUnits: perTask('writeUnits') };
  const files = dollars.put * 2 + dollars.get * 2 + dollars.message * 6;
  const tasks = scanners * scansPerMonth * (table(units, dollars) + 2 * request(requestMilliseconds, dollars) + files);
  const work = (one: Units & { seconds: number }, size: number) =>
    table(one, dollars) + (one.seconds / size) * INGEST_GIGABYTES * dollars.gigabyteSecond;
  const again = work(measured('ingest', 'the same import again', '10000'), 10_000);
  const fresh = work(measured('vulnerabilities-small', 'import', '2000'), 2_000);
  return [
    { operation: 'tasks of scanners', dollars: tasks },
    { operation: 'findings that are seen again', dollars: findings * scansPerMonth * again },
    { operation: 'new findings with their vulnerabilities', dollars: findings * newShare * fresh },
  ];
}

function requests({ requests: count }: Tenant, { dollars }: Bill): Line {
  const { requestMilliseconds, requestReadUnits, logBytesPerRequest } = ASSUMED;
  const log = (logBytesPerRequest / 1e9) * dollars.logGigabyte;
  const each = request(requestMilliseconds, dollars) + requestReadUnits * dollars.readUnit + log;
  return { operation: 'requests of people and programs', dollars: count * each };
}

function storage({ findings }: Tenant, { dollars }: Bill): Line {
  const { findingKilobytes, objectKilobytes } = ASSUMED;
  const inTable = (findings * findingKilobytes) / 1e6;
  const inBucket = (findings * objectKilobytes) / 1e6;
  const all =
    inTable * (dollars.tableGigabyteMonth + dollars.backupGigabyteMonth) + inBucket * dollars.objectGigabyteMonth;
  return { operation: 'storage and its backups', dollars: all };
}

/** The stack itself, without any work. */
function idle({ dollars, stack }: Bill): Line {
  const { alarmMetrics, queues, secrets, schedules } = stack;
  const asked = ((queues * ASSUMED.queuePollers * MONTH_SECONDS) / 20) * dollars.message;
  const runs = schedules.map(({ everySeconds, runSeconds = 0.5, memoryMegabytes = 512 }) => {
    const gigabyteSeconds = (memoryMegabytes / 1024) * runSeconds;
    return (MONTH_SECONDS / everySeconds) * (dollars.functionRequest + gigabyteSeconds * dollars.gigabyteSecond);
  });
  const fixed = alarmMetrics * dollars.alarmMetricMonth + dollars.keyMonth + secrets * dollars.secretMonth;
  return {
    operation: 'the stack without work: alarms, queues that are asked, key, secrets, schedules',
    dollars: runs.reduce((sum, each) => sum + each, fixed + asked),
  };
}
