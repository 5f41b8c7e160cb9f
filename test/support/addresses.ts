import { inject } from 'vitest';

/** The method and path of each operation. */
export type Addresses = Record<string, { method: string; path: string }>;

let known: Addresses | undefined;

/**
 * What a client needs of the contract. The run hands it to each test file, which would otherwise load the schemas of all areas; where no
 * shared set-up ran, the contract is loaded.
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
