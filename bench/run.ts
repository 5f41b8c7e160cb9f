import { parseArgs } from 'node:util';
import { type BenchTable, isPlain, type PlainTable, printPlain, printTable, writeSection } from './report.ts';

/**
 * `npm run bench` measures the operations that have budgets, prints tables and writes bench/results.json. `npm run
 * bench -- store ingest` runs only the named benches. The exit code is 1 when a measurement is over its budget.
 */
const benches: Record<string, () => Promise<BenchTable | PlainTable>> = {
  detection: async () => (await import('./detection.ts')).benchDetection(),
  feeds: async () => (await import('./feeds.ts')).benchFeeds(),
  store: async () => (await import('./store.ts')).benchStore(),
  dashboards: async () => (await import('./dashboards.ts')).benchDashboards(),
  leases: async () => (await import('./leases.ts')).benchLeases(),
  machines: async () => (await import('./machines.ts')).benchMachines(),
  ingest: async () => (await import('./ingest.ts')).benchIngest(),
  'cold-start': async () => (await import('./cold-start.ts')).benchColdStart(),
};

/** Run only by name, because they take up to a quarter of an hour. */
const large: typeof benches = {
  applications: async () => (await import('./applications.ts')).benchApplications({ assets: 50_000, rules: 10 }),
  'applications-small': async () => (await import('./applications.ts')).benchApplications({ assets: 1_000, rules: 10 }),
  cloud: async () => (await import('./cloud.ts')).benchCloud(100_000),
  'cloud-small': async () => (await import('./cloud.ts')).benchCloud(5_000),
  console: async () => (await import('./console.ts')).benchConsole({ imported: 100_000, rounds: 20 }),
  'console-full': async () =>
    (await import('./console.ts')).benchConsole({ imported: 3_000, written: 1_000_000, rounds: 20 }),
  'console-hour': async () => (await import('./console-hour.ts')).benchConsoleHour({ findings: 10_000, minutes: 60 }),
  'console-hour-small': async () => (await import('./console-hour.ts')).benchConsoleHour({ findings: 300, minutes: 1 }),
  'console-small': async () => (await import('./console.ts')).benchConsole({ imported: 3_000, rounds: 3 }),
  events: async () => (await import('./events.ts')).benchEvents({ perSecond: 5_000, seconds: 60, stored: 1_000_000 }),
  'events-small': async () =>
    (await import('./events.ts')).benchEvents({ perSecond: 5_000, seconds: 10, stored: 100_000 }),
  'events-rules': async () =>
    (await import('./events/detected.ts')).benchDetected({ perSecond: 10_000, seconds: 30, rules: 3_000 }),
  'events-attack': async () => (await import('./events.ts')).benchAttack({ perSecond: 5_000, seconds: 20 }),
  'events-kills': async () =>
    (await import('./events/kills.ts')).benchKills({ perSecond: 5_000, seconds: 20, kills: 5 }),
  export: async () => (await import('./export.ts')).benchExport(100_000),
  'export-small': async () => (await import('./export.ts')).benchExport(3_000),
  'ingest-busy': async () => (await import('./ingest.ts')).benchBusyIngest(),
  'leases-full': async () => (await import('./leases.ts')).benchLeases({ scanners: 5000, tasks: 100_000 }),
  notify: async () => (await import('./notify.ts')).benchNotify(1_000),
  'notify-flood': async () => (await import('./notify-flood.ts')).benchNotifyFlood({ perMinute: 100_000, seconds: 90 }),
  'page-growth': async () => (await import('./page-growth.ts')).benchPageGrowth(),
  readers: async () => (await import('./readers.ts')).benchReaders(30_000),
  'readers-small': async () => (await import('./readers.ts')).benchReaders(10_000),
  reports: async () => (await import('./reports.ts')).benchReports(100_000),
  'reports-small': async () => (await import('./reports.ts')).benchReports(3_000),
  'same-again': async () => (await import('./same-again.ts')).benchSameAgain(10_000),
  'same-again-full': async () => (await import('./same-again.ts')).benchSameAgain(100_000),
  'store-full': async () => (await import('./store.ts')).benchStore([1_000, 100_000, 1_000_000]),
  'dashboards-full': async () => (await import('./dashboards.ts')).benchDashboards([1_000, 1_000_000]),
  triage: async () => (await import('./triage.ts')).benchTriage({ triage: 10_000, rule: 100_000 }),
  'triage-small': async () => (await import('./triage.ts')).benchTriage({ triage: 1_000, rule: 3_000 }),
  upkeep: async () => (await import('./upkeep.ts')).benchUpkeep(),
  vulnerabilities: async () =>
    (await import('./vulnerabilities.ts')).benchVulnerabilities({ assets: 5_000, more: 10_000, scores: 250_000 }),
  'vulnerabilities-medium': async () =>
    (await import('./vulnerabilities.ts')).benchVulnerabilities({ assets: 1_000, more: 2_000, scores: 250_000 }),
  'vulnerabilities-small': async () =>
    (await import('./vulnerabilities.ts')).benchVulnerabilities({ assets: 100, more: 200, scores: 20_000 }),
  'upkeep-full': async () => (await import('./upkeep.ts')).benchUpkeep([1_000_000]),
};
const known = { ...benches, ...large };

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((name) => !(name in known));
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(known).join(', ')}`);
  process.exit(64);
}
const wanted = positionals.length > 0 ? positionals : Object.keys(benches);
const environment = { ...process.env };
let held = true;
for (const name of wanted) {
  // A system that was measured in this process left its endpoints in the environment.
  process.env = { ...environment };
  const table = await known[name]?.();
  if (!table) continue;
  if (isPlain(table)) printPlain(table);
  else printTable(table);
  writeSection(name, table);
  held &&= table.ok;
}
process.exit(held ? 0 : 1);
