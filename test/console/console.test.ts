import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '#local/browser.ts';
import { consolePages } from '#local/console.ts';
import { ownerLink } from '#local/owner.ts';
import { type LocalSystem, startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { dropOn, violations } from '../support/console-page.ts';

/** Beyond the ten jobs (ten-jobs.test.ts), in a browser: each test goes on where the one before ended. */
let system: LocalSystem;
let browser: Browser;
let page: Page;
let apiKey: string;
const problems: string[] = [];

/** A report that tries to run a script wherever a text of it is shown. */
const HOSTILE = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
const report = {
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'semgrep' } },
      results: ['sql', 'path', 'xss'].map((ruleId, n) => ({
        ruleId,
        level: n === 0 ? 'error' : 'warning',
        message: { text: `${HOSTILE} ${ruleId}` },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: `src/${ruleId}.ts` },
              region: { startLine: 3, snippet: { text: HOSTILE } },
            },
          },
        ],
      })),
    },
  ],
};

const total = () => page.locator('.total').innerText();

beforeAll(async () => {
  [system, browser] = await Promise.all([startLocalSystem({ port: 0, pages: consolePages() }), openBrowser()]);
  page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
});

afterAll(async () => {
  await browser?.close();
  await system?.stop();
});

describe('a person works with the console in a browser', () => {
  test('signs in, and is offered ways to bring in data', async () => {
    const { organizationId, ...others } = await bootstrap(system.connections);
    apiKey = others.apiKey;
    await page.goto(system.baseUrl);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await violations(page)).toEqual([]);
    const link = await ownerLink(system, organizationId);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Bring in the first results' }).waitFor();
    expect(page.url()).toBe(`${system.baseUrl}/`);
    await page.reload();
    await page.getByRole('heading', { name: 'Bring in the first results' }).waitFor();
    const other = await browser.newPage();
    await other.goto(link);
    await other.getByText('The link was used already').waitFor();
    await other.close();
    expect(await violations(page)).toEqual([]);
  });

  test('drops a report, and sees its kind and its findings', async () => {
    await dropOn(page, 'semgrep.sarif', JSON.stringify(report));
    await page.getByText('Recognised as sarif').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Show 3 findings' }).click();
    await page.locator('#row-2').waitFor();
    expect(await total()).toBe('3 findings');
    expect(await violations(page)).toEqual([]);
  });

  test('opens a finding by the keyboard, starts work, and undoes it', async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Why it matters' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start work' }).click();
    await page.locator('#row-1').getByText('In progress').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('#row-1').getByText('Open', { exact: true }).waitFor();
  });

  test('is told when somebody else changed the finding meanwhile, and loses no change', async () => {
    await page.keyboard.press('Enter');
    const start = page.getByRole('button', { name: 'Start work' });
    await start.waitFor();
    const id = new URL(page.url()).searchParams.get('open');
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ status: 'out_of_scope' });
    await fetch(`${system.baseUrl}/api/v1/findings/${id}`, { method: 'PATCH', headers, body });
    await start.click();
    await page.getByText('Somebody changed this finding').waitFor();
    await page.getByRole('button', { name: 'Open again' }).click();
    await page.locator('#row-1').getByText('Open', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('shows the exact preview of a change of many, which axe accepts', async () => {
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Choose all 3' }).click();
    await page.getByRole('button', { name: 'False positive' }).click();
    await page.getByText('3 findings of 3 would change.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Choose none' }).click();
  });

  test('completes a filter, which is the address of the page', async () => {
    await page.keyboard.press('/');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('severity:hi');
    await page.getByRole('option', { name: 'high' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL(/filter=severity%3Ahigh/);
    await expect.poll(total).toBe('1 finding');
    await page.keyboard.press('/');
    await page.keyboard.press('End');
    await page.keyboard.type(' sevrity:high');
    await page.keyboard.press('Enter');
    await page.getByText('did you mean severity?').waitFor();
  });

  test('imports a report of more than 4 MB by the storage, looks at what came of it, and undoes it', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Import' }).click();
    await page.evaluate(`{
      const noise = Array.from({ length: 110 }, () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(45000))))).join('');
      const results = [{ ruleId: 'large', level: 'note', message: { text: 'A large one' }, partialFingerprints: { noise } }];
      const report = { version: '2.1.0', runs: [{ tool: { driver: { name: 'largetool' } }, results }] };
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([JSON.stringify(report)], 'large.sarif'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }`);
    await page.getByRole('link', { name: 'Show 1 finding' }).waitFor();
    await page.getByRole('link', { name: 'largetool' }).first().click();
    await page.getByText('Undo deletes the findings').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo this import' }).click();
    await page.getByText('Undone by').waitFor();
    await page.keyboard.press('Escape');
  });

  test('administers: invites a person, and creates a key whose secret is shown once', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('heading', { name: 'My account' }).waitFor();
    const parts = page.getByRole('navigation', { name: 'Parts of the administration' });
    await parts.getByRole('link', { name: 'People' }).click();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel('Name').fill('Ada Example');
    expect(await violations(page)).toEqual([]);
    await page.locator('form').getByRole('button', { name: 'Invite a person' }).click();
    await page.getByRole('cell', { name: 'Ada Example' }).waitFor();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel('Name').fill('Ada Again');
    await page.locator('form').getByRole('button', { name: 'Invite a person' }).click();
    await page.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await parts.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Create an API key' }).click();
    await page.getByLabel('Name').fill('ci');
    await page.getByLabel('findings:read').check();
    await page.locator('form').getByRole('button', { name: 'Create an API key' }).click();
    await page.getByText('This is shown once').waitFor();
    expect(await violations(page)).toEqual([]);
    const secret = await page.locator('.secret code').innerText();
    await page.keyboard.press('Escape');
    await page.getByRole('cell', { name: 'ci', exact: true }).waitFor();
    const answer = await fetch(`${system.baseUrl}/api/v1/findings`, { headers: { authorization: `Bearer ${secret}` } });
    expect(answer.status).toBe(200);
    expect(await page.content()).not.toContain(secret);
  });

  test('finds that each figure of the home page is the number of its list', async () => {
    const home = page.getByRole('navigation').getByRole('link', { name: 'Home' });
    await home.click();
    const figures = page.locator('a.figure, .legend a');
    await figures.first().waitFor();
    const amount = await figures.count();
    expect(amount).toBeGreaterThan(10);
    for (let n = 0; n < amount; n++) {
      const figure = figures.nth(n);
      const shown = await figure.locator('b').innerText();
      await figure.click();
      await expect.poll(total, { message: page.url() }).toMatch(new RegExp(`^${shown} `));
      await home.click();
      await figures.first().waitFor();
    }
  });

  test('finds a record with the palette, and takes it', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('path');
    await page.locator('#palette-hit-0').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What is wrong' }).waitFor();
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByText('Assigned to Local Owner').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('memory LSASS');
    await page.getByRole('option', { name: 'A program reads the memory of LSASS' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('reads every screen in the dark and on a phone', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 800 });
    for (const screen of ['Findings', 'Assets', 'Administration', 'Home']) {
      const isBehind = screen === 'Administration';
      if (isBehind) await page.getByRole('button', { name: 'More' }).click();
      const navigation = page.getByRole('navigation', { name: isBehind ? 'All screens' : 'Screens', exact: true });
      if (isBehind) expect(await violations(page)).toEqual([]);
      await navigation.getByRole('link', { name: screen }).click();
      await expect.poll(() => page.locator('.loading').count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      const isWider = 'document.documentElement.scrollWidth > innerWidth';
      expect(await page.evaluate(isWider)).toBe(false);
    }
  });

  test('no text of a report ran as a script, and nothing failed unseen', async () => {
    expect(await page.title()).toBe('Exposure');
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });
});

test('the page runs scripts of its own files alone, and stands in no frame', async () => {
  const { headers } = await fetch(`${system.baseUrl}/findings`, { headers: { accept: 'text/html' } });
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  const unknown = await fetch(`${system.baseUrl}/api/v1/none`, { headers: { accept: 'text/html' } });
  expect(unknown.headers.get('content-type')).toContain('application/json');
});
