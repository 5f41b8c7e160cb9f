import { readFile } from 'node:fs/promises';
import type { Asset } from '#shared/assets/asset/asset.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { joinOrganization } from '#shared/people/join.ts';
import { DAY_MS, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '#test/support/findings.ts';

/** A caller of the system that is filled. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

const PEOPLE = ['Ana Petrović', 'Kenji Watanabe', 'Élodie Lefèvre'] as const;
const APPLICATIONS = [
  ...['Customer portal', 'Payments', 'Ordini e fatturazione – Milano', 'Größenkatalog für Händler', 'Складской учёт'],
  ...['在庫管理システム', 'Loyalty', 'Returns', 'Price engine', 'Point of sale', 'Data warehouse', 'Intranet'],
];
const PROBLEMS = [
  ['SQL built from the input of users', 'CVE-2025-29927', 'critical'],
  ['OpenSSH before 9.8 lets anybody run code (regreSSHion)', 'CVE-2024-6387', 'critical'],
  ['TLS certificate expires within 14 days', '', 'medium'],
  ['Default password of an administrator', '', 'high'],
  ['HTTP/2 rapid reset exhausts the server', 'CVE-2023-44487', 'high'],
  ['Cookies of sessions lack the attribute Secure', '', 'low'],
  ['xz-utils with a backdoor in liblzma', 'CVE-2024-3094', 'critical'],
  ['Directory listing shows backups', '', 'medium'],
] as const;
const MONTH = 30;
const DESCRIPTION =
  'A request to `/api/orders` with the header below shows orders of other customers. The server trusts the identifier of the request, ' +
  'and compares it with no session.\n\nSteps: sign in as a customer, note the number of an order, and send the request with another number.';
const REMEDIATION =
  'Compare the owner of the order with the session on the server, and answer 404 for orders of others.';

/** `reportAt` makes a report of the past, to which later ones compare themselves. */
type Filling = { table: Table; call: Call; reportAt: () => Promise<void> };

/**
 * Fills an organization with some of everything that reports show.
 * @param ending of each name, to see long ones
 * @returns the ids of what reports may be about
 */
export async function fill({ table, call, reportAt }: Filling, ending = '') {
  const named = (name: string) => `${name}${ending}`.slice(0, 200);
  const people = [];
  for (const [n, name] of PEOPLE.entries()) {
    const joining = {
      email: `person-${n}-${nowMs()}@example.com`,
      name: named(name).slice(0, 120),
      timeZone: 'UTC',
      locale: 'en',
    };
    const roles = [{ role: 'analyst', scope: { type: 'organization' as const } }];
    people.push((await joinOrganization(table, { ...joining, roles, managedBy: 'local' } as never)).user);
  }
  const team = await call('POST', '/api/v1/teams', {
    name: named('Platform').slice(0, 120),
    memberIds: [people[0]?.id],
  });
  const applications = [];
  for (const [n, name] of APPLICATIONS.entries()) {
    const body = { name: named(name).slice(0, 120), criticality: 'high', ownerId: people[n % 3]?.id };
    applications.push(String((await call('POST', '/api/v1/software/applications', body)).id));
  }
  const engagementId = await engage(call, named);
  const assets = await fillAssets(call, { named, applications, people: people.map(({ id }) => id) });
  const found = { assets, named, engagementId, people: people.map(({ id }) => id) };
  await fillFindings({ table, call, reportAt }, found);
  await importFiles(call);
  await planWork(call, found);
  return { applicationId: applications[1], teamId: String(team.id), engagementId };
}

async function engage(call: Call, named: (name: string) => string): Promise<string> {
  const dueAt = new Date(nowMs() + MONTH * DAY_MS).toISOString();
  const made = await call('POST', '/api/v1/validation-operations/engagements', {
    title: named('Test of the customer portal').slice(0, 120),
    description: 'A test of the portal with the accounts of two customers.',
    kind: 'vulnerability_scan',
    targets: [
      { type: 'host', value: '10.1.2.3' },
      { type: 'url', value: 'https://portal.example.com/' },
    ],
    exclusions: [{ type: 'url', value: 'https://portal.example.com/legacy' }],
    taskTypes: ['network', 'web'],
    dueAt,
  });
  return String(Object(made.resource).id);
}

type Place = Pick<Asset, 'id' | 'type' | 'name' | 'zone'>;

async function fillAssets(
  call: Call,
  { named, applications, people }: { named: (name: string) => string; applications: string[]; people: string[] },
): Promise<Found['assets']> {
  const places: Found['assets'] = [];
  for (let n = 0; n < 12; n++) {
    const name = named(`host-${n}.example.com`);
    const asset = await call('POST', '/api/v1/assets', {
      type: 'host',
      value: `host-${n}.example.com`,
      tags: n % 3 === 0 ? ['production', 'pci'] : [],
      ...(n % 4 === 0 ? {} : { ownerId: people[n % 3] }),
    });
    await call('POST', `/api/v1/software/applications/${applications[n]}/assets`, { assetId: asset.id });
    const applicationIds = [applications[n] ?? ''];
    places.push({ place: { id: String(asset.id), type: 'host', name, zone: null }, applicationIds });
  }
  return places;
}

type Found = {
  assets: { place: Place; applicationIds: string[] }[];
  named: (name: string) => string;
  engagementId: string;
  people: string[];
};

const DUE_AFTER = { critical: 60, high: 150, medium: 240, low: 365 } as const;

/** A finding of each few days of a year, in the order of time. Reports are made between them, so that later ones have a past. */
async function fillFindings({ table, call, reportAt }: Filling, found: Found): Promise<void> {
  const now = nowMs();
  const inPast = async <T>(daysAgo: number, act: () => Promise<T>): Promise<T> => {
    setClock(() => now - daysAgo * DAY_MS);
    return act().finally(() => setClock());
  };
  const past = [150, 120, 90, 60, 30];
  for (let n = 0; n < 72; n++) {
    const age = 350 - Math.floor(n * n * 0.068);
    while ((past[0] ?? 0) > age) await inPast(past.shift() ?? 0, reportAt);
    const { id } = await inPast(age, () => table.create(findings, draftOf(n, new Date(now - age * DAY_MS), found)));
    const change = (body: object) =>
      call('PATCH', `/api/v1/findings/${id}`, { reason: found.named('Decided in the weekly meeting'), ...body });
    const acceptedUntil = new Date(now + (n + 1) * DAY_MS).toISOString();
    if (n % 10 === 3) await change({ status: 'risk_accepted', acceptedUntil });
    else if (n % 3 === 0) await inPast(age * 0.6, () => change({ status: 'fixed' }));
    else if (n % 4 === 2) await inPast(age * 0.3, () => table.modify(findings, id, provenGone));
    else if (n % 7 === 0) await change({ assigneeId: found.people[0] });
  }
}

const provenGone = (finding: StoredFinding): StoredFinding => ({
  ...finding,
  status: 'fixed',
  fixedAt: new Date(nowMs()).toISOString(),
  fixedByTaskId: newId(),
});

function draftOf(n: number, at: Date, { assets, named, engagementId }: Found) {
  const [title, cve, severity] = PROBLEMS[n % PROBLEMS.length] ?? PROBLEMS[0];
  const { place, applicationIds } = assets[n % assets.length] ?? {};
  return findingDraft(at.toISOString(), {
    title: named(title),
    severity,
    cves: cve ? [cve] : [],
    applicationIds,
    description: DESCRIPTION,
    remediation: REMEDIATION,
    dueAt: new Date(at.getTime() + DUE_AFTER[severity] * DAY_MS).toISOString(),
    ...(place && { asset: place }),
    ...(n % 8 === 1 && { kev: true as const }),
    ...(n % 9 === 1 && { engagementId }),
  });
}

async function planWork(call: Call, { named, people }: Found): Promise<void> {
  const { data } = await call('GET', '/api/v1/findings?filter=status:open&paginateSize=60');
  const ids = (data as { id: string }[]).map(({ id }) => id);
  for (const [n, title] of ['Upgrade OpenSSH on all hosts', 'Prepared statements in the orders service'].entries())
    await call('POST', '/api/v1/remediations', {
      title: named(title),
      assigneeId: people[n],
      dueAt: new Date(nowMs() + (n + 2) * 10 * DAY_MS).toISOString(),
      findingIds: ids.filter((_, m) => m % 5 === n),
    });
}

const FILES = [
  ['cyclonedx', 'vex.json'],
  ['trivy', 'image.json'],
  ['grype', 'image.json'],
  ['kube-bench', 'report.json'],
] as const;

const IMAGE = { type: 'container_image', value: 'registry.example.com/acme/shop:1.4' };

async function importFiles(call: Call): Promise<void> {
  for (const [format, file] of FILES) {
    const content = await readFile(`test/fixtures/reports/${format}/${file}`, 'utf8');
    await call('POST', '/api/v1/findings/import?waitSeconds=20', { format, content, target: IMAGE });
  }
}
