import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { joinOrganization } from '#shared/people/join.ts';
import { issueTicket } from '#shared/people/ticket.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { dropOn } from '../support/console-page.ts';
import { consoleWorld } from '../support/console-world.ts';
import { newAddress } from '../support/sign-in.ts';

const world = consoleWorld();

const REPORTS = [
  ['trivy', 'image.json'],
  ['grype', 'image.json'],
  ['nmap', 'vulners.xml'],
  ['gitleaks', 'v8.json'],
  ['semgrep', 'scan.json'],
] as const;

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

const settled = (page: Page) => expect.poll(() => page.locator('.loading').count()).toBe(0);

/** The figures of a page, each with the address of its list. */
async function figuresOf(page: Page): Promise<{ shown: number; href: string }[]> {
  await settled(page);
  const links = await page.locator('a.figure, .legend a, a[data-figure], .related + a, .card header a').all();
  const found = await Promise.all(
    links.map(async (link) => ({ text: await link.innerText(), href: (await link.getAttribute('href')) ?? '' })),
  );
  return found.flatMap(({ text, href }) => {
    const [shown] = text.replaceAll(',', '').match(/\d+/) ?? [];
    return shown === undefined ? [] : [{ shown: Number(shown), href }];
  });
}

/** The figures of a page whose list has another number. */
async function wrongFigures(page: Page, path: string): Promise<string[]> {
  const { baseUrl } = world.current().system;
  await page.goto(baseUrl + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const wrong: string[] = [];
  for (const { shown, href } of await figuresOf(page)) {
    await page.goto(baseUrl + href);
    await settled(page);
    const total = Number(
      (await page.locator('.total', { hasText: /\d/ }).innerText()).replaceAll(',', '').match(/\d+/)?.[0],
    );
    if (total !== shown) wrong.push(`${path} shows ${shown}, but ${href} has ${total}`);
  }
  return wrong;
}

/** The page of the first record of a list, if there is one. */
async function firstRecord(page: Page, path: string): Promise<string[]> {
  await page.goto(world.current().system.baseUrl + path);
  await settled(page);
  const row = page.locator('#row-0');
  if ((await row.count()) === 0) return [];
  await row.click();
  await page.waitForURL(/open=/);
  return [`${path}/${new URL(page.url()).searchParams.get('open')}`];
}

const LISTS = ['/findings', '/vulnerabilities', '/advisories', '/fixes', '/assets', '/applications', '/teams'];

test('each figure of every screen is the number of its list, for an owner, a viewer and a person with a part', async () => {
  const { ownerPage, problems } = world.current();
  const owner = await ownerPage();
  for (const [tool, name] of REPORTS)
    await dropOn(owner, `${tool}-${name}`, await readFile(join('test/fixtures/reports', tool, name), 'utf8'));
  await owner
    .locator('.upload-done')
    .nth(REPORTS.length - 1)
    .waitFor();
  const people = {
    owner,
    viewer: await personPage({ roleId: 'viewer' }),
    part: await personPage({ roleId: 'analyst', scope: { zones: ['nowhere'] } }),
  };
  for (const [who, page] of Object.entries(people)) {
    const records: string[] = [];
    for (const path of LISTS) records.push(...(await firstRecord(page, path)));
    const wrong: string[] = [];
    for (const path of ['/', ...records]) wrong.push(...(await wrongFigures(page, path)));
    expect({ who, wrong }).toEqual({ who, wrong: [] });
  }
  expect(problems).toEqual([]);
});
