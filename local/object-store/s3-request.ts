import type { IncomingMessage } from 'node:http';

export type S3Request = {
  method: string;
  bucket: string;
  key: string;
  /** Decoded parameters; a parameter without a value has the empty string. */
  query: Map<string, string>;
  message: IncomingMessage;
};

/** A request in path style: /bucket/key. */
export function s3Request(message: IncomingMessage): S3Request {
  const [path = '/', search = ''] = (message.url ?? '/').split('?', 2);
  const [bucket = '', ...key] = path.slice(1).split('/').map(decodeURIComponent);
  const query = new Map(
    search
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair): [string, string] => {
        const separator = pair.indexOf('=');
        if (separator < 0) return [decodeURIComponent(pair), ''];
        return [decodeURIComponent(pair.slice(0, separator)), decodeURIComponent(pair.slice(separator + 1))];
      }),
  );
  return { method: message.method ?? 'GET', bucket, key: key.join('/'), query, message };
}

export function header(request: S3Request, name: string): string | undefined {
  const value = request.message.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/** An `x-amz-` header, or the query parameter that replaces it in a signed address. */
export function amzParameter(request: S3Request, name: string): string | undefined {
  const hoisted = [...request.query].find(([parameter]) => parameter.toLowerCase() === name);
  return header(request, name) ?? hoisted?.[1];
}
