import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';

/** These are for Lambda. A browser of one process hangs when a second page opens. */
const FOR_LAMBDA = ['--single-process', '--no-zygote'];

/** The browser of the lockfile, for tests and pictures of the console. */
export const openBrowser = async (): Promise<Browser> =>
  driver.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter((arg) => !FOR_LAMBDA.includes(arg)),
    headless: true,
  });
