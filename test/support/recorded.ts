import { readdirSync, readFileSync } from 'node:fs';

const recordings = new URL('../fixtures/reports/', import.meta.url);

/** A report as its tool writes it: `test/fixtures/reports/<format>/<file>`. */
export const fixture = (name: string): Buffer => readFileSync(new URL(name, recordings));

/** The format and file of each sample report. */
export const recordedReports: [format: string, file: string][] = readdirSync(recordings).flatMap((format) =>
  readdirSync(new URL(format, recordings)).map((file): [string, string] => [format, `${format}/${file}`]),
);

/** Nmap's report on 127.0.0.1, as a scanner sends it with a result. */
export const nmapReport = {
  format: 'nmap',
  content: fixture('nmap/localhost.xml').toString(),
  encoding: 'utf8' as const,
};
