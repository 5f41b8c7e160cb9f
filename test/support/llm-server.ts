import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** A request as the server received it. Bodies come from two wires, and each test names what it looks for. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Asked = { path: string; authorization: string | undefined; body: any };

/** The server's treatment of a request: an answer, garbage, or none. */
export type Reply = { status?: number; headers?: Record<string, string>; body: unknown } | 'hang' | 'hang up';

type Script = (asked: Asked, n: number) => Reply;

export type LlmServer = {
  url: string;
  asked: Asked[];
  /** From now on; what was asked before is forgotten. */
  answer(script: Script): void;
  stop(): Promise<void>;
};

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

/** A provider on the loopback. Bedrock's client speaks HTTP/2, without TLS as the endpoint says. */
export async function startLlmServer(wire: 'openai' | 'bedrock'): Promise<LlmServer> {
  const asked: Asked[] = [];
  let script: Script = () => ({ status: 500, body: {} });
  const hanging = new Set<Response>();
  const handle = async (request: Request, response: Response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const one = { path: request.url ?? '', authorization: request.headers.authorization, body: JSON.parse(text) };
    asked.push(one);
    const reply = script(one, asked.length);
    if (reply === 'hang') hanging.add(response);
    else if (reply === 'hang up') request.socket.destroy();
    else send(response, reply);
  };
  const server = wire === 'openai' ? createServer(handle) : createHttp2Server(handle);
  const sessions = new Set<{ destroy(): void }>();
  server.on(wire === 'openai' ? 'connection' : 'session', (session) => sessions.add(session));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer(next) {
      asked.length = 0;
      script = next;
    },
    async stop() {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(response: Response, { status = 200, headers, body }: Exclude<Reply, string>): void {
  const out = response as ServerResponse;
  out.writeHead(status, { 'content-type': 'application/json', ...headers });
  out.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** OpenAI's wire: what a model said. */
export const said = (content: string | null, more: object = {}, finish_reason = 'stop'): Reply => ({
  body: {
    id: 'c1',
    object: 'chat.completion',
    model: 'test-model-2026',
    choices: [{ index: 0, message: { role: 'assistant', content, ...more }, finish_reason }],
    usage: { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 },
  },
});

/** Converse's wire: what a model said. */
export const conversed = (content: object[], stopReason = 'end_turn'): Reply => ({
  body: {
    output: { message: { role: 'assistant', content } },
    stopReason,
    usage: { inputTokens: 21, outputTokens: 9, totalTokens: 30 },
    metrics: { latencyMs: 1 },
  },
});
