import { request } from 'node:http';

type Sent = { method?: string; body?: string; headers?: Record<string, string> };
type Answer = { status: number; body: unknown; headers: Record<string, string | string[] | undefined> };

/**
 * Sends requests from an address of the loopback (127.0.0.0/8), each third number of which is an address block: a test of windows
 * takes a block of its own.
 */
export const sendFrom = (
  localAddress: string,
  url: URL,
  { method = 'GET', body, headers }: Sent = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    request(url, { method, localAddress, agent: false, headers: { ...type, ...headers } })
      .on('error', reject)
      .on('response', async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text), headers: answer.headers });
      })
      .end(body);
  });

/** An address block that no other test has. */
export const newBlock = () => {
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint8Array(2));
  return (host: number) => `127.${1 + (a % 250)}.${b}.${host}`;
};
