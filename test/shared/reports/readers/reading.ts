import { readReport } from '#shared/reports/formats/read.ts';
import { ReportError, type ReportEvent, type ReportFinding } from '#shared/reports/report/report.ts';

/** Opens the bytes as a stream of chunks of the given size. */
export function chunked(bytes: Uint8Array, size = 64 * 1024) {
  return async function* open(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

export async function eventsOf(format: string, bytes: Uint8Array | string, chunk?: number): Promise<ReportEvent[]> {
  return collect(readReport(format, chunked(Buffer.from(bytes), chunk)));
}

export function findingsOf(events: ReportEvent[]): ReportFinding[] {
  return events.flatMap((event) => (event.kind === 'finding' ? [event.finding] : []));
}

/** The code of the ReportError that the report ends in, or `none`; any other error fails the test. */
export async function codeOf(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
    return 'none';
  } catch (error) {
    if (error instanceof ReportError) return error.code;
    throw error;
  }
}

/** The JSON of what was read, without the texts of secrets, which the import takes out. */
export const withoutTexts = (read: unknown): string =>
  JSON.stringify(read, (name, value) => (name === 'text' ? undefined : value));
