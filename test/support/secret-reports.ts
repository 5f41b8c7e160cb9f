type Leak = { secret: string; file: string; rule?: string };

/** Gitleaks 8, JSON. */
export const gitleaks = (leaks: readonly Leak[]): string =>
  JSON.stringify(
    leaks.map(({ secret, file, rule = 'generic-api-key' }, n) => ({
      ...{ RuleID: rule, Description: `Detected ${secret}`, StartLine: n + 1, EndLine: n + 1, StartColumn: 2 },
      ...{ EndColumn: 44, Match: `key = '${secret}'`, Secret: secret, File: file, SymlinkFile: '', Commit: '' },
      ...{ Entropy: 4.1, Author: 'Ada', Email: 'ada@example.test', Date: '2026-01-15T08:00:00Z', Tags: [] },
      ...{ Message: `put ${secret} in`, Fingerprint: `${file}:${rule}:${n}`, Link: `https://x.example.test/${secret}` },
    })),
  );

/** TruffleHog 3, JSON lines. */
export const trufflehog = (leaks: readonly (Leak & { verified?: boolean; account?: string })[]): string =>
  leaks
    .map(({ secret, file, rule = 'Stripe', verified = false, account }) =>
      JSON.stringify({
        SourceMetadata: { Data: { Filesystem: { file, line: 4 } } },
        ...{ SourceID: 1, SourceType: 15, SourceName: 'trufflehog - filesystem', DetectorType: 4, DetectorName: rule },
        ...{ DecoderName: 'PLAIN', Verified: verified, Raw: secret, RawV2: '', Redacted: secret },
        ExtraData: { ...(account && { account }), note: `it is ${secret}` },
      }),
    )
    .join('\n');
