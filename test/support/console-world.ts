import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser } from '#local/browser.ts';
import { consolePages } from '#local/console.ts';
import { ownerLink } from '#local/owner.ts';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';

/** The service with its console, and a browser. */
async function startConsole() {
  const [system, browser] = await Promise.all([
    startLocalSystem({ port: 0, pages: consolePages() }),
    openBrowser({ keepsOriginsApart: true }),
  ]);
  const first = await bootstrap(system.connections);
  const problems: string[] = [];

  /** A page of a browser that knows nothing of the others. */
  async function newPage(device: { timezoneId?: string } = {}): Promise<Page> {
    const usual = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;
    const context = await browser.newContext({ ...usual, ...device });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => problems.push(error.message));
    return page;
  }

  /** The owner of the first organization signs in. */
  async function signIn(page: Page): Promise<void> {
    await page.goto(await ownerLink(system, first.organizationId));
    await page.getByRole('navigation').first().waitFor();
  }

  /** A page of the owner of the first organization. */
  async function ownerPage(): Promise<Page> {
    const page = await newPage();
    await signIn(page);
    return page;
  }

  async function stop() {
    await browser.close();
    await system.stop();
  }

  return { ...first, system, browser, newPage, signIn, ownerPage, problems, stop };
}

type ConsoleWorld = Awaited<ReturnType<typeof startConsole>>;

/** The console of a test file. */
export function consoleWorld(): { current: () => ConsoleWorld } {
  let world: ConsoleWorld | undefined;
  beforeAll(async () => {
    world = await startConsole();
  });
  afterAll(() => world?.stop());
  return {
    current() {
      if (!world) throw new Error('the console has not started');
      return world;
    },
  };
}
