import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { joinOrganization } from '#shared/people/join.ts';
import { issueTicket } from '#shared/people/ticket.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { dropOn } from '../support/console-page.ts';
import { screens, walk } from '../support/console-walk.ts';
import { consoleWorld } from '../support/console-world.ts';
import { everyRecordOf } from '../support/every-record.ts';
import { hostReport, ssh, telnet } from '../support/host-report.ts';
import { newAddress } from '../support/sign-in.ts';
import { testSystem } from '../support/system.ts';
import { followViews } from '../support/views.ts';

const world = consoleWorld();

const ZONE = 'dmz';
const REPORTS = [
  ['trivy', 'image.json'],
  ['grype', 'image.json'],
  ['nmap', 'vulners.xml'],
  ['gitleaks', 'v8.json'],
  ['semgrep', 'scan.json'],
] as const;

beforeAll(async () => {
  const { system, organizationId, ownerPage } = world.current();
  const { connections, baseUrl } = system;
  const organization = await testSystem(baseUrl, connections).enter(organizationId);
  await everyRecordOf(connections, organization);
  const { format, content } = hostReport(ssh + telnet);
  const target = { type: 'host' as const, value: '192.0.2.9', zone: ZONE };
  await organization.admin.ok('importFindings', { query: { waitSeconds: 20 }, body: { format, content, target } });
  const owner = await ownerPage();
  for (const [tool, name] of REPORTS)
    await dropOn(owner, `${tool}-${name}`, await readFile(join('test/fixtures/reports', tool, name), 'utf8'));
  await owner
    .locator('.upload-done')
    .nth(REPORTS.length - 1)
    .waitFor();
  await owner.close();
  // Vulnerabilities follow the findings.
  await followViews({ connections, table: openTable(connections.dynamo, organizationId) });
});

type Role = { roleId: string; scope?: { zones: string[] } };

/** The page of a new person with this role. */
async function personPage(role: Role): Promise<Page> {
  const { system, organizationId, newPage } = world.current();
  const table = openTable(system.connections.dynamo, organizationId);
  const person = { email: newAddress(), name: `Person ${role.roleId}`, timeZone: 'UTC', locale: 'en' };
  const { user } = await joinOrganization(table, { ...person, roles: [role], managedBy: 'local' });
  const ticket = { purpose: 'sign_in', seconds: 600, data: { personId: user.personId } } as const;
  const page = await newPage();
  await page.goto(`${system.baseUrl}/sign-in#token=${await issueTicket(system.connections.dynamo, ticket)}`);
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  return page;
}

type Figure = { shown: number; href: string };

/** The links of a page that name one number and lead to a list: its figures, with the addresses of their lists. */
async function figuresOf(page: Page, lists: ReadonlySet<string>): Promise<Figure[]> {
  const links = await page.locator('main a[href^="/"], dialog a[href^="/"]').all();
  const found = await Promise.all(
    links.map(async (link) => ({ text: await link.innerText(), href: (await link.getAttribute('href')) ?? '' })),
  );
  return found.flatMap(({ text, href }) => {
    const numbers = text.replaceAll(',', '').match(/\d+/g) ?? [];
    const [path = '', search] = href.split('?');
    return numbers.length === 1 && search !== undefined && lists.has(path) ? [{ shown: Number(numbers[0]), href }] : [];
  });
}

test.each([
  { who: 'an owner', role: { roleId: 'owner' } },
  { who: 'a viewer', role: { roleId: 'viewer' } },
  { who: 'a person with a part', role: { roleId: 'analyst', scope: { zones: [ZONE] } } },
])('each figure of every screen is the number of its list, for $who', async ({ role }) => {
  const page = await personPage(role);
  const { go, firstRecord, tabs } = walk(page);
  const lists = new Set(screens());
  const figures = new Map<string, Figure & { at: string }>();
  const look = async (at: string) => {
    for (const one of await figuresOf(page, lists)) figures.set(`${one.shown} ${one.href}`, { ...one, at });
  };
  const waiting = [...lists];
  const seen = new Set<string>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    await go(path);
    await look(path);
    waiting.push(...(await tabs()).filter((tab) => !tab.includes('?')));
    const record = lists.has(path) ? await firstRecord() : undefined;
    if (!record) continue;
    await go(record);
    await look(record);
  }
  const wrong: string[] = [];
  for (const { shown, href, at } of figures.values()) {
    await go(href);
    const total = (await page.locator('.total', { hasText: /\d/ }).first().innerText()).replaceAll(',', '');
    if (Number(total.match(/\d+/)?.[0]) !== shown) wrong.push(`${at} shows ${shown}, but ${href} has ${total}`);
  }
  expect(wrong).toEqual([]);
  expect(figures.size).toBeGreaterThan(role.scope ? 10 : 40);
  expect(world.current().problems).toEqual([]);
});

test('the search of the console finds records of each kind by their names, and nothing that the person may not see', async () => {
  const { system, organizationId } = world.current();
  const { admin } = await testSystem(system.baseUrl, system.connections).enter(organizationId);
  const [ticket, repository, campaign, appliance] = await Promise.all([
    admin.ok('listTickets'),
    admin.ok('listRepositories'),
    admin.ok('listCampaigns'),
    admin.ok('listAppliances'),
  ]);
  const names = [
    ticket.data[0]?.title,
    repository.data[0]?.fullName,
    campaign.data[0]?.name,
    appliance.data[0]?.name,
    'Cryptography is strong and used',
  ];
  const foundBy = async (page: Page, words: string) => {
    const { settled } = walk(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words);
    // the search waits for a pause of the person
    await page.waitForTimeout(300);
    await settled();
    const found = await page.getByRole('option').allInnerTexts();
    await page.keyboard.press('Escape');
    return found.join(' ');
  };
  const owner = await personPage({ roleId: 'owner' });
  for (const name of names) expect(await foundBy(owner, name ?? 'none')).toContain(name);
  const colleague = await personPage({ roleId: 'analyst', scope: { zones: [ZONE] } });
  const [tickets, , campaigns, appliances] = names;
  for (const name of [tickets, campaigns, appliances]) expect(await foundBy(colleague, name ?? '')).not.toContain(name);
  await colleague.keyboard.press('Control+k');
  await colleague.keyboard.type('Person owner');
  await colleague.getByRole('option', { name: 'Person owner' }).first().waitFor();
  await colleague.keyboard.press('Enter');
  await colleague.getByRole('cell', { name: 'Person owner' }).waitFor();
  expect(await colleague.getByRole('row').count()).toBe(2);
});

test('a screen that a role for a part does not open says so and why, and offers no second try', async () => {
  const page = await personPage({ roleId: 'analyst', scope: { zones: [ZONE] } });
  await walk(page).go('/identities');
  const closed = page.getByRole('alert');
  await closed.getByText('This is not open to your role').waitFor();
  expect(await closed.innerText()).toContain('an account of a directory is of no asset');
  expect(await closed.getByRole('button').count()).toBe(0);
});
