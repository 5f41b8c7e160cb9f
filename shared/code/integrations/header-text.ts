import { trimmedText } from '#shared/platform/http/records.ts';

/** A token or an id that is sent in a header. A line break that was pasted with it would break the header. */
export const headerText = (most: number) =>
  trimmedText(most).regex(
    /^[\x21-\x7e]+$/,
    'must be one word of visible ASCII characters, without spaces and line breaks',
  );
