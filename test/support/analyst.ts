import { beforeAll } from 'vitest';
import type { Client } from './client.ts';
import { startSystem, type TestOrganization } from './system.ts';

export const system = startSystem();
/** Of the file of tests that runs, if it begins with `withAnalyst`. */
export let organization: TestOrganization;
export let analyst: Client;

/** For a file of tests that needs one organization and an analyst of it: both are there before the first test. */
export function withAnalyst(): void {
  beforeAll(async () => {
    organization = await system.newOrganization();
    analyst = await organization.withRole('analyst');
  });
}
