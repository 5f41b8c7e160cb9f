import { beforeAll } from 'vitest';
import type { Client } from './client.ts';
import { startSystem, type TestOrganization } from './system.ts';

/** For a file of tests that needs one organization and an analyst of it: both are there before the first test. */
export const system = startSystem();
export let organization: TestOrganization;
export let analyst: Client;

beforeAll(async () => {
  organization = await system.newOrganization();
  analyst = await organization.withRole('analyst');
});
