import type * as z from 'zod';
import type { FindingsImport } from '#functions/ingest/import/routes.ts';
import type { TestSystem } from './system.ts';

export const soon = { waitSeconds: 20 };
export const repository = 'https://git.example.com/acme/shop';

/** A SARIF report with one finding for each rule, in a file of its own. */
export const toolReport = (rules: readonly string[], level = 'error') =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'example' } },
        results: rules.map((ruleId) => {
          const place = { artifactLocation: { uri: `src/${ruleId}.ts` }, region: { startLine: 3 } };
          return { ruleId, level, message: { text: `found by ${ruleId}` }, locations: [{ physicalLocation: place }] };
        }),
      },
    ],
  });

type Body = Partial<z.input<typeof FindingsImport>>;

/** An organization that scans the branches of one repository. */
export async function startShopIn(system: TestSystem) {
  const { admin, table } = await system.newOrganization();
  const scan = (ref: string, rules: readonly string[], more: Body = {}) =>
    admin.ok('importFindings', {
      query: soon,
      body: { format: 'sarif', content: toolReport(rules), repository, ref, ...more },
    });
  const listed = async (query: object = {}) =>
    (await admin.ok('listFindings', { query })).data.map(({ ruleId, status }) => `${ruleId} ${status}`);
  const branch = async (name: string) => {
    const found = (await admin.ok('listBranches', {})).data.find((one) => one.name === name);
    if (!found) throw new Error(`no branch ${name}`);
    return found;
  };
  return { admin, table, scan, listed, branch };
}
