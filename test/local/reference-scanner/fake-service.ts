import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Seen = { operation: string; body: Record<string, unknown> };

export type Result = { taskId: string; outcome: string; error?: { code: string; message: string }; reports: object[] };

/** A status, no answer though the work was done, or the refusal of a disabled machine. */
type Fault = number | 'lost answer' | 'disabled';

type Handed = { id: string; [field: string]: unknown };

const json = { 'content-type': 'application/json' };

/** The service's side of the protocols of scanners and agents, which fails when it is told to and remembers what it was sent. */
export async function startFakeService() {
  const seen: Seen[] = [];
  const faults = new Map<string, Fault[]>();
  const next = {
    tasks: [] as Handed[],
    cancel: [] as object[],
    lost: [] as string[],
    upgrade: '',
    softwareWanted: false,
    credentials: [] as object[],
  };
  /**
   * Tasks that were handed out and that no scanner has named since. A scanner that stops may hang up on a poll that comes here
   * after all: as with the service, a task that nobody says to have is handed out again.
   */
  const unnamed = new Map<string, Handed>();
  const handOut = () => {
    const tasks = [...unnamed.values(), ...next.tasks.splice(0)];
    for (const task of tasks) unnamed.set(task.id, task);
    return tasks;
  };
  const parts = new Map<number, Buffer>();
  const partSizeBytes = 1_000_000;
  let size = 0;
  let url = '';

  const ticket = () => {
    const all = Array.from({ length: Math.ceil(size / partSizeBytes) }, (_, n) => ({
      partNumber: n + 1,
      sizeBytes: Math.min(partSizeBytes, size - n * partSizeBytes),
      url: `${url}/put/${n + 1}`,
      headers: { 'x-part': String(n + 1) },
    }));
    return { uploadId: 'upload-1', partSizeBytes, parts: all.filter(({ partNumber }) => !parts.has(partNumber)) };
  };
  const operations: Record<string, (body: Record<string, unknown>) => object> = {
    link: () => ({ id: 'scanner-1', clientId: 'client', clientSecret: 'secret', unknownField: true }),
    token: () => ({ access_token: 'token' }),
    new_tasks: () => ({
      tasks: handOut(),
      cancel: next.cancel.splice(0),
      lost: next.lost.splice(0),
      ...(next.upgrade && { upgrade: { recommended: '9', minimum: null, message: next.upgrade } }),
      pollAfterSeconds: 0.02,
    }),
    completed_tasks: ({ results }) => ({
      results: (results as Result[]).map(({ taskId }) => ({ taskId, accepted: true })),
    }),
    report: () => ({ softwareWanted: next.softwareWanted, nextReportSeconds: 0.02 }),
    uploads: ({ sizeBytes }) => {
      size = Number(sizeBytes);
      return ticket();
    },
    'upload-1': ticket,
    secrets: () => ({ credentials: next.credentials }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = Buffer.concat(await request.toArray());
    const body = content.length > 0 && request.method !== 'PUT' ? JSON.parse(content.toString()) : {};
    for (const { taskId } of [...(body.running ?? []), ...(body.results ?? [])]) unnamed.delete(taskId);
    const [operation = ''] = (request.url ?? '').split('/').slice(-1);
    const fault = faults.get(request.method === 'PUT' ? 'put' : operation)?.shift();
    if (typeof fault === 'number') {
      response.writeHead(fault, json).end(JSON.stringify({ code: `fault_${fault}`, message: 'as the test wants it' }));
      return;
    }
    if (fault === 'disabled') {
      response.writeHead(401, json).end(JSON.stringify({ code: 'insufficient_scope', message: 'disabled' }));
      return;
    }
    if (request.method === 'PUT') {
      parts.set(Number(operation), content);
      response.end();
      return;
    }
    seen.push({ operation, body });
    if (fault === 'lost answer') {
      response.destroy();
      return;
    }
    response.writeHead(200, json).end(JSON.stringify(operations[operation]?.(body) ?? {}));
  }

  /** A caller that hung up before its request was read needs no answer. */
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    answer(request, response).catch(() => response.destroy());
  let server = createServer(serve);
  const listen = async (port: number) => {
    server = createServer(serve).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const port = await listen(0);
  url = `http://127.0.0.1:${port}`;
  return {
    url,
    seen,
    next,
    /** The next answers of an operation (`put`: of a part). */
    fail: (operation: string, ...how: Fault[]) => faults.set(operation, how),
    stop,
    comeBack: () => listen(port),
    called: (operation: string) => seen.filter((request) => request.operation === operation),
    results: () => seen.flatMap(({ body }) => (body.results as Result[] | undefined) ?? []),
    uploaded: () => Buffer.concat([...parts.entries()].sort(([a], [b]) => a - b).map(([, content]) => content)),
  };
}

export type FakeService = Awaited<ReturnType<typeof startFakeService>>;
