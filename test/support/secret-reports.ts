type Leak = { secret: string; file: string; rule?: string };

/** Gitleaks 8, JSON. */
export const gitleaks = (leaks: readonly Leak[]): string =>
  JSON.stringify(
    leaks.map(({ secret, file, rule = 'generic-api-key' }, n) => ({
      RuleID: rule,
      Description: `Detected ${secret}`,
      StartLine: n + 1,
      EndLine: n + 1,
      StartColumn: 2,
      EndColumn: 44,
      Match: `key = '${secret}'`,
      Secret: secret,
      File: file,
      SymlinkFile: '',
      Commit: '',
      Entropy: 4.1,
      Author: 'Ada',
      Email: 'ada@example.test',
      Date: '2026-01-15T08:00:00Z',
      Tags: [],
      Message: `put ${secret} in`,
      Fingerprint: `${file}:${rule}:${n}`,
      Link: `https://x.example.test/${secret}`,
    })),
  );

/** TruffleHog 3, JSON lines. */
export const trufflehog = (leaks: readonly (Leak & { verified?: boolean; account?: string })[]): string =>
  leaks
    .map(({ secret, file, rule = 'Stripe', verified = false, account }) =>
      JSON.stringify({
        SourceMetadata: { Data: { Filesystem: { file, line: 4 } } },
        SourceID: 1,
        SourceType: 15,
        SourceName: 'trufflehog - filesystem',
        DetectorType: 4,
        DetectorName: rule,
        DecoderName: 'PLAIN',
        Verified: verified,
        Raw: secret,
        RawV2: '',
        Redacted: secret,
        ExtraData: { ...(account && { account }), note: `it is ${secret}` },
      }),
    )
    .join('\n');

/** Bandit, which quotes a password in its message and in the code around it. */
export const bandit = (secret: string): string =>
  JSON.stringify({
    errors: [],
    generated_at: '2026-01-15T08:00:00Z',
    metrics: {},
    results: [
      {
        filename: './app/db.py',
        line_number: 7,
        line_range: [7],
        col_offset: 0,
        end_col_offset: 40,
        code: `6 USER = 'app'\n7 PASSWORD = '${secret}'\n8 connect(USER, PASSWORD)\n`,
        issue_confidence: 'MEDIUM',
        issue_severity: 'LOW',
        test_id: 'B105',
        test_name: 'hardcoded_password_string',
        issue_cwe: { id: 259, link: 'https://cwe.mitre.org/data/definitions/259.html' },
        issue_text: `Possible hardcoded password: '${secret}'`,
        more_info: 'https://bandit.readthedocs.io/en/1.9.4/plugins/b105_hardcoded_password_string.html',
      },
    ],
  });

/** Semgrep, which quotes the line in its result and in the trace. */
export const semgrep = (secret: string): string =>
  JSON.stringify({
    version: '1.90.0',
    results: [
      {
        check_id: 'generic.secrets.security.detected-generic-api-key',
        path: 'config/app.env',
        start: { line: 3, col: 1, offset: 40 },
        end: { line: 3, col: 44, offset: 84 },
        extra: {
          message: `Generic API key detected: ${secret}`,
          severity: 'ERROR',
          lines: `API_KEY=${secret}`,
          fix: `API_KEY=${secret}`,
          is_ignored: false,
          metadata: { cwe: ['CWE-798: Use of Hard-coded Credentials'], category: 'security' },
          dataflow_trace: { taint_source: ['CliLoc', [{ path: 'config/app.env' }, `API_KEY=${secret}`]] },
        },
      },
    ],
    errors: [],
    paths: { scanned: ['config/app.env'] },
  });

/** A scanner of code that sends SARIF. */
export const codeScan = (secret: string): string =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'CodeQL',
            rules: [{ id: 'js/hardcoded-credentials', properties: { tags: ['external/cwe/cwe-798'] } }],
          },
        },
        invocations: [{ executionSuccessful: true }],
        results: [
          {
            ruleId: 'js/hardcoded-credentials',
            message: { text: `The hard-coded value "${secret}" is used as password.` },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'src/login.ts' },
                  region: { startLine: 4, snippet: { text: `login("admin", "${secret}");` } },
                },
              },
            ],
          },
        ],
      },
    ],
  });
