import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';

/** These are for Lambda. A browser of one process hangs when a second page opens. */
const FOR_LAMBDA = ['--single-process', '--no-zygote'];

/** These let a page of one origin read another, which the browsers of people refuse. */
const LENIENT = ['--disable-web-security', '--disable-site-isolation-trials', '--allow-running-insecure-content'];

type Wanted = { keepsOriginsApart?: boolean };

/** The browser of the lockfile, for tests and pictures of the console. */
export const openBrowser = async ({ keepsOriginsApart = false }: Wanted = {}): Promise<Browser> => {
  const left = keepsOriginsApart ? [...FOR_LAMBDA, ...LENIENT] : FOR_LAMBDA;
  return driver.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter((arg) => !left.includes(arg)),
    headless: true,
  });
};
