/**
 * Whether Semgrep gave up a rule or a file by this type of error, which it calls a warning in its JSON and its SARIF (`error_type` of
 * semgrep_output_v1.atd): earlier findings of it may hold.
 */
export const isGivenUp = (type: string | undefined): boolean =>
  /^(?:timeout|oom|out of memory|stack overflow|internal matching error)/i.test(type ?? '');
