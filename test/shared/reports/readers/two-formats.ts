import { fixture } from '../../../support/recorded.ts';
import { eventsOf } from './reading.ts';

type Known = { tool: string; asset: unknown; identity: string[] };

/** By what the problems of a report are known again; a report is the name of a sample or the document itself. */
export async function problemsOf(report: string | object): Promise<Known[]> {
  const events = await eventsOf('auto', typeof report === 'string' ? fixture(report) : JSON.stringify(report));
  let tool = '';
  const known: Known[] = [];
  for (const event of events) {
    if (event.kind === 'tool') tool = event.name.toLowerCase();
    if (event.kind === 'finding') known.push({ tool, asset: event.finding.asset, identity: event.finding.identity });
  }
  return known;
}

type Result = { rule: string; text: string; file: string; line: number; snippet?: string };
/** The SARIF of a tool, as far as all write it. */
export const sarif = (name: string, results: Result[]) => ({
  version: '2.1.0',
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  runs: [
    {
      tool: { driver: { name } },
      results: results.map(({ rule, text, file, line, snippet }) => ({
        ruleId: rule,
        message: { text },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: file },
              region: { startLine: line, ...(snippet && { snippet: { text: snippet } }) },
            },
          },
        ],
      })),
    },
  ],
});
