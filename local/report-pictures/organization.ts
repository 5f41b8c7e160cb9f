import { readFile } from 'node:fs/promises';
import type { Asset } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { joinOrganization } from '#shared/people/join.ts';
import { DAY_MS, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '#test/support/findings.ts';

/** A caller of the system that is filled. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

const PEOPLE = ['Ana Petrović', 'Kenji Watanabe', 'Élodie Lefèvre'] as const;
const APPLICATIONS = ['Customer portal', 'Payments', 'Ordini e fatturazione – Milano', 'Größenkatalog für Händler'];
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

/**
 * Fills an organization with some of everything that reports show.
 * @param ending of each name, to see long ones
 * @returns the ids of what reports may be about
 */
export async function fill({ table, call }: { table: Table; call: Call }, ending = '') {
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
  await fillFindings({ table, call }, { assets, named, engagementId });
  await importFiles(call);
  return { applicationId: applications[0], teamId: String(team.id), engagementId };
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
    await call('POST', `/api/v1/software/applications/${applications[n % 4]}/assets`, { assetId: asset.id });
    const applicationIds = [applications[n % 4] ?? ''];
    places.push({ place: { id: String(asset.id), type: 'host', name, zone: null }, applicationIds });
  }
  return places;
}

type Found = {
  assets: { place: Place; applicationIds: string[] }[];
  named: (name: string) => string;
  engagementId: string;
};

async function fillFindings(
  { table, call }: { table: Table; call: Call },
  { assets, named, engagementId }: Found,
): Promise<void> {
  const ago = (days: number) => new Date(nowMs() - days * DAY_MS).toISOString();
  const at = nowMs();
  const ages = Array.from({ length: 72 }, (_, n) => 350 - Math.floor(n * n * 0.068));
  for (const [n, age] of ages.entries()) {
    const [title, cve, severity] = PROBLEMS[n % PROBLEMS.length] ?? PROBLEMS[0];
    const on = assets[n % assets.length];
    if (!on) continue;
    setClock(() => at - age * DAY_MS);
    const { id } = await table.create(
      findings,
      findingDraft(ago(age), {
        ...{
          title: named(title),
          severity,
          cves: cve ? [cve] : [],
          asset: on.place,
          applicationIds: on.applicationIds,
        },
        dueAt: ago(n % 5 === 0 ? 4 : -20),
        description: DESCRIPTION,
        remediation: REMEDIATION,
        ...(n % 8 === 1 && { kev: true as const }),
        ...(n % 9 === 0 && { engagementId }),
      }),
    );
    setClock();
    const change = (body: object) =>
      call('PATCH', `/api/v1/findings/${id}`, { reason: named('Decided in the weekly meeting'), ...body });
    if (n % 10 === 3) await change({ status: 'risk_accepted', acceptedUntil: ago(-n - 1) });
    if (n % 7 === 4) await change({ status: 'fixed' });
  }
}

const FILES = [
  ['cyclonedx', 'vex.json'],
  ['trivy', 'image.json'],
  ['grype', 'image.json'],
] as const;

const IMAGE = { type: 'container_image', value: 'registry.example.com/acme/shop:1.4' };

async function importFiles(call: Call): Promise<void> {
  for (const [format, file] of FILES) {
    const content = await readFile(`test/fixtures/reports/${format}/${file}`, 'utf8');
    await call('POST', '/api/v1/findings/import?waitSeconds=20', { format, content, target: IMAGE });
  }
}
