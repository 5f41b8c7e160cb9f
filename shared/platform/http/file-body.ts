import * as z from 'zod';
import { ApiError, invalid } from '../runtime/errors.ts';
import { unwrapped } from './validate.ts';

type Sent = { headers: Record<string, string | undefined> };
/** `query` is the checked query. */
type File = Sent & { sent: string; isBase64Encoded: boolean; query?: unknown };

/** A route's file body; made by `takesFile`, so that only areas with such a route bundle it. */
export type FileBody = {
  /** The query: the route's own parameters, and the fields of the body beside the file. */
  query: z.ZodObject;
  isFile: (sent: Sent) => boolean;
  isGzipped: (sent: Sent) => boolean;
  /** The body's fields; the pipeline parsed all except the file from the query. @throws unsupported_media_type */
  valueIn: (file: File) => object;
  /**
   * A JSON body with the fields that only the query has: generated clients send documented defaults there.
   * @throws validation_failed for a JSON body that shares no field with the operation: it is the file itself
   */
  withQuery: (value: unknown, query: unknown) => unknown;
};

/** `curl --data-binary` names a form where the caller names nothing. */
const isFile = ({ headers }: Sent): boolean =>
  !/^(application\/json\b|$)/.test((headers['content-type'] ?? '').trim().toLowerCase());

const PROTOBUF = /^\s*application\/(x-|vnd\.google\.)?protobuf\b/i;

/** The fields of a body that a query has. An object field, such as a gate, becomes its fields. */
const fieldsIn = (body: z.ZodObject, given: object): object =>
  Object.fromEntries(
    Object.entries(body.shape).flatMap(([name, field]) => {
      const inner = unwrapped(field as z.ZodType);
      if (!(inner instanceof z.ZodObject)) return name in given ? [[name, Reflect.get(given, name)]] : [];
      const value = fieldsIn(inner, given);
      return Object.keys(value).length > 0 ? [[name, value]] : [];
    }),
  );

/** A route whose `body` may also be a file: its `content`, with the other fields in the query. */
export const takesFile = (query: z.ZodObject, body: z.ZodObject): FileBody => ({
  query,
  isFile,
  isGzipped: (sent) => isFile(sent) && /^gzip$/i.test((sent.headers['content-encoding'] ?? '').trim()),
  valueIn({ headers, sent, isBase64Encoded, query: given }) {
    if (PROTOBUF.test(headers['content-type'] ?? ''))
      throw new ApiError(
        'unsupported_media_type',
        'Protobuf is not read: send JSON. The exporter otlphttp of the OpenTelemetry Collector does so with encoding: json, an SDK with ' +
          'OTEL_EXPORTER_OTLP_PROTOCOL=http/json.',
      );
    // gzip is recognised by its first bytes where the content is decoded
    return { ...fieldsIn(body, Object(given)), content: sent, encoding: isBase64Encoded ? 'base64' : 'utf8' };
  },
  withQuery(value, given) {
    if (Object.keys(body.shape).some((name) => name in Object(value)))
      return { ...fieldsIn(body, Object(given)), ...Object(value) };
    throw invalid(
      'content',
      'send content or uploadId. To send the report itself as the body, name another Content-Type than application/json, such as application/octet-stream',
    );
  },
});
