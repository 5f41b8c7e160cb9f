import type { MiddlewareObj } from '@middy/core';
import { ApiError } from '../runtime/errors.ts';
import type { Incoming, Result } from './incoming.ts';

const KB = 1024;
const MB = 1024 * KB;

/** Bytes of a request body, where the route has no `maxBody`: parsing as many tiny fields takes 0.35 s (docs/decisions/0068). */
export const MAX_BODY_BYTES = MB;

/** Bytes of a body that is a report, a batch or an event: `maxBody` of its route. Larger reports go through an upload. */
export const MAX_REPORT_BYTES = 4 * MB;

/** Bytes of a body without a credential. A machine that links itself sends a few KB. */
export const MAX_PUBLIC_BODY_BYTES = 64 * KB;

/** The step that refuses a body by its size and its coding, before the body is read. */
export const bodySize: MiddlewareObj<Incoming, Result> = {
  before({ event }) {
    const { sent, isBase64Encoded, headers, match } = event;
    const { access, maxBody, file } = match.route;
    const limit = maxBody ?? (access === 'public' ? MAX_PUBLIC_BODY_BYTES : MAX_BODY_BYTES);
    if (Buffer.byteLength(sent, isBase64Encoded ? 'base64' : 'utf8') > limit)
      throw new ApiError(
        'payload_too_large',
        maxBody
          ? `The body is over ${sizeOf(limit)}. Send large reports through an upload.`
          : `The body is over ${sizeOf(limit)}: send only the fields of this operation.`,
      );
    const { 'content-encoding': coding = '' } = headers;
    if (sent !== '' && !/^(identity)?$/i.test(coding.trim()) && !file?.isGzipped(event))
      throw new ApiError('unsupported_media_type', `Send the body without the Content-Encoding ${coding}.`);
  },
};

/** For example `4 MB`. */
export const sizeOf = (bytes: number): string => (bytes < MB ? `${bytes / KB} KB` : `${bytes / MB} MB`);
