import { inject } from 'vitest';

/** The method and path of each operation. */
export type Addresses = Record<string, { method: string; path: string }>;

let known: Addresses | undefined;

/**
 * The part of the contract that a client needs. The run hands it to each test file, which would otherwise load the schemas of all areas;
 * without a shared set-up the contract is loaded.
 */
export async function addressesOfOperations(): Promise<Addresses> {
  known ??= inject('addresses') ?? (await readAddresses());
  return known;
}

export async function readAddresses(): Promise<Addresses> {
  const { areas } = await import('#functions/contract.ts');
  const routes = areas.flatMap((area) => Object.entries(area.routes));
  return Object.fromEntries(routes.map(([name, { method, path }]) => [name, { method, path }]));
}
