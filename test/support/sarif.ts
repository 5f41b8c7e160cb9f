type Wanted = { count: number; level?: 'error' | 'warning'; tool?: string; rule?: string };

/** A SARIF report of a scanner with findings in as many files. */
export const sarifReport = ({ count, level = 'error', tool = 'semgrep', rule = 'sql-injection' }: Wanted): string =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool } },
        results: Array.from({ length: count }, (_, n) => ({
          ruleId: rule,
          level,
          message: { text: `SQL built from input ${n}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: `src/part-${n % 97}/file-${n}.ts` },
                region: { startLine: 3 },
              },
            },
          ],
        })),
      },
    ],
  });
