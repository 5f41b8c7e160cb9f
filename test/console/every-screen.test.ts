import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { createOrganization } from '#shared/credentials/bootstrap.ts';
import { inBothThemes, violations } from '../support/console-page.ts';
import { screens, staffScreens, walk } from '../support/console-walk.ts';
import { consoleWorld } from '../support/console-world.ts';
import { everyRecordOf } from '../support/every-record.ts';
import { testSystem } from '../support/system.ts';

/** Each screen of an organization with a record of each kind: judged by axe, used by keys alone, in any size. */
const world = consoleWorld();
type Walker = { at: Page } & ReturnType<typeof walk>;
let owner: Walker;
let staff: Walker;

const DESK = { width: 1280, height: 800 };
const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
];

beforeAll(async () => {
  const { system, organizationId, ownerPage, newPage } = world.current();
  const { connections, baseUrl } = system;
  await everyRecordOf(connections, await testSystem(baseUrl, connections).enter(organizationId));
  const { clientId, clientSecret } = await createOrganization(connections, 'Provider', { role: 'platform_owner' });
  owner = walker(await ownerPage());
  staff = walker(await newPage());
  await staff.at.goto(`${baseUrl}/staff`);
  await staff.at.getByLabel('Client ID').fill(clientId);
  await staff.at.getByLabel('Client secret').fill(clientSecret);
  await staff.at.getByRole('button', { name: 'Sign in' }).click();
  await staff.at.getByRole('gridcell').first().waitFor();
  for (const { at } of [owner, staff]) await at.evaluate(COUNTS_JUMPS);
});

/** Requests of a screen with parameters that the service does not know. */
const misunderstood: string[] = [];

function walker(at: Page): Walker {
  at.on('response', async (response) => {
    const isMisunderstood = response.status() === 400 && (await response.text()).includes('"validation_failed"');
    if (isMisunderstood) misunderstood.push(response.url());
  });
  return { at, ...walk(at) };
}

/** Adds up how far the content of the page has moved under the eyes of the person, who has done nothing for half a second. */
const COUNTS_JUMPS = `
  window.jumps = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.jumps += value;
  }).observe({ type: 'layout-shift' });
`;

const ALL = [
  ...screens().map((path) => ({ path, who: () => owner })),
  ...staffScreens().map((path) => ({ path, who: () => staff })),
];

const MOST_JUMPS = 0.05;
const DIRECTIONS = ['rtl', 'ltr'];

/** How much the page jumps while it opens. */
async function jumpsAt({ at, go }: Walker, address: string): Promise<number> {
  await at.evaluate('window.jumps = 0');
  // a person comes by a key
  await at.keyboard.press('Shift');
  await go(address);
  return Number(await at.evaluate('window.jumps'));
}

/** Nothing of the page has failed or jumped, and it is not wider than the window, for readers of either direction. */
async function open(walker: Walker, address: string): Promise<void> {
  const { at } = walker;
  const first = await jumpsAt(walker, address);
  if (first >= MOST_JUMPS) {
    // a jump of the page comes again on a new page; one of a machine that was busy for a moment does not
    await walker.go('/administration');
    await at.reload();
    await at.getByRole('heading', { level: 1 }).waitFor();
    expect(await jumpsAt(walker, address), at.url()).toBeLessThan(MOST_JUMPS);
  }
  expect(await at.locator('.failed, .closed').allInnerTexts(), at.url()).toEqual([]);
  for (const direction of DIRECTIONS) {
    const wider = `document.documentElement.dir = '${direction}'; document.documentElement.scrollWidth - innerWidth`;
    expect(await at.evaluate(wider), `${at.url()} ${direction}`).toBeLessThanOrEqual(0);
  }
}

test.each(ALL)(
  '$path is read by axe in both themes, with its first record and its tabs, in any size',
  async ({ path, who }) => {
    const { at, firstRecord, tabs } = who();
    await at.setViewportSize(DESK);
    await open(who(), path);
    expect(await inBothThemes(at)).toEqual([]);
    const others = (await tabs()).filter((tab) => tab.startsWith(`${path}/`));
    const record = await firstRecord();
    if (record) {
      expect(await inBothThemes(at)).toEqual([]);
      others.push(record);
    }
    for (const other of others) {
      await open(who(), other);
      expect(await violations(at)).toEqual([]);
    }
    for (const size of SIZES) {
      await at.setViewportSize(size);
      for (const address of [path, ...others]) await open(who(), address);
      expect(await violations(at)).toEqual([]);
    }
  },
);

test.each(ALL)(
  '$path is used by keys alone: its records open and close, and so do its forms',
  async ({ path, who }) => {
    const { at, go, settled } = who();
    await at.setViewportSize(DESK);
    await go(path);
    if ((await at.locator('#row-0').count()) > 0) {
      await at.keyboard.press('j');
      await at.keyboard.press('Enter');
      await at.getByRole('dialog').waitFor();
      await settled();
      await at.keyboard.press('Escape');
      await expect.poll(() => at.getByRole('dialog').count()).toBe(0);
    }
    const forms = at.locator('main .records-head :is(p, .actions) .button.main, main .listing > header .button.main');
    for (const form of await forms.all()) {
      await form.focus();
      await at.keyboard.press('Enter');
      await at.getByRole('dialog').waitFor();
      await settled();
      expect(await violations(at)).toEqual([]);
      await at.keyboard.press('Tab');
      await at.keyboard.press('Escape');
      await expect.poll(() => at.getByRole('dialog').count()).toBe(0);
    }
  },
);

test('a screen whose service fails says so, in words of the service, and tries again', async () => {
  const { at: page, go, settled } = owner;
  const answer = { code: 'internal_error', message: 'The table is away.', requestId: 'r-1' };
  const silent: string[] = [];
  await page.setViewportSize(DESK);
  // a new page remembers no answers but those of its first screen
  await go('/administration');
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  const refuse = /\/api\/v1\/(?!oauth|users\/me|changes|saved-filters|filters)/;
  await page.route(refuse, (route) => route.fulfill({ status: 500, json: answer }));
  // the first part of the administration is about the person, whom the service still knows; the other one leads on
  for (const path of screens().filter((one) => !['/administration', '/open'].includes(one))) {
    await go(path);
    if ((await page.getByText('The table is away.').count()) === 0) silent.push(path);
    else expect(await violations(page)).toEqual([]);
  }
  expect(silent).toEqual([]);
  await go('/zones');
  await page.unroute(refuse);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await settled();
  expect(await page.locator('.failed, .closed').count()).toBe(0);
});

test('the menus of a list stay on the screen of a phone', async () => {
  const { at, go } = owner;
  await at.setViewportSize({ width: 390, height: 844 });
  await go('/findings');
  for (const menu of await at.locator('.menu').all()) {
    await menu.locator('summary').click();
    const { x = -1, width = 0 } = (await menu.locator('.menu-panel').boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(390);
    await at.keyboard.press('Escape');
  }
});

test('no screen failed unseen', () => {
  expect(world.current().problems).toEqual([]);
  expect(misunderstood).toEqual([]);
});
