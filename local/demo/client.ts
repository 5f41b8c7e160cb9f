import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';

export type Client = {
  get<T extends z.ZodType>(path: string, answer: T): Promise<z.output<T>>;
  post<T extends z.ZodType>(path: string, body: unknown, answer: T): Promise<z.output<T>>;
};

/** Calls the service like the script of an analyst. An answer other than 200 ends the demo with its message. */
export function openClient(baseUrl: string, credential: string): Client {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  return {
    get: async (path, answer) => answer.parse(await call('GET', path)),
    post: async (path, body, answer) => answer.parse(await call('POST', path, body)),
  };
}

/** Repeats a question until it has an answer. */
export async function until<T>(ask: () => Promise<T | undefined>, seconds: number, what: string): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  while (performance.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(300);
  }
  throw new Error(`${what} took more than ${seconds} s`);
}

export const AccessToken = z.object({ access_token: z.string() });
export const Queued = z.object({ taskId: z.string(), resource: z.object({ id: z.string() }) });
export const Findings = z.object({
  totalCount: z.number(),
  data: z.array(
    z.object({
      severity: z.string(),
      status: z.string(),
      title: z.string(),
      location: z.string(),
      cves: z.array(z.string()),
      asset: z.object({ name: z.string() }),
    }),
  ),
});
export const ScannerTasks = z.object({ data: z.array(z.object({ id: z.string() })) });
export const ScannerTask = z.object({
  status: z.string(),
  error: z.object({ message: z.string() }).nullish(),
  result: z.record(z.string(), z.unknown()).nullish(),
});
export type ScannerTask = z.infer<typeof ScannerTask>;
export const Summary = z.object({
  total: z.number(),
  open: z.number(),
  byStatus: z.record(z.string(), z.number()),
  openBySeverity: z.record(z.string(), z.number()),
  opened7d: z.number(),
  fixed7d: z.number(),
});
