import { expect, test } from 'vitest';
import type { MachineKind } from '#shared/platform/auth/permissions.ts';
import { routes } from '../support/every-route.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const KINDS: MachineKind[] = ['scanner', 'apex', 'integrator'];
const needing = routes.flatMap(({ name, path, needs = [] }) => needs.map((field) => ({ name, path, needs, field })));

test.each(needing)(
  '$name refuses a body without $field, which the document requires',
  async ({ path, needs, field }) => {
    const organization = await system.newOrganization();
    const kind = KINDS.find((one) => path.includes(`/${one}_communication/`)) ?? 'scanner';
    const { client } = await organization.machine(kind);
    const values: Record<string, unknown> = { linkToken: 'exl_the-link-token', name: 'north-1' };
    const body = Object.fromEntries(needs.filter((one) => one !== field).map((one) => [one, values[one]]));
    const { status, body: answer } = await client.send('POST', path, { body });
    expect([status, answer]).toMatchObject([400, { code: 'validation_failed', details: [{ path: field }] }]);
  },
);
