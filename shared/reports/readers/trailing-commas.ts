const [QUOTE, BACKSLASH, COMMA, BLANK] = [0x22, 0x5c, 0x2c, 0x20];

const isClosing = (byte: number): boolean => byte === 0x5d || byte === 0x7d;

/** JSON without the commas that some tools write behind the last element: they become blanks. */
export async function* withoutTrailingCommas(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let inString = false;
  let isEscaped = false;
  // A comma waits for the next character; white space between the two is written first.
  let isHeld = false;
  for await (const chunk of source) {
    const bytes = new Uint8Array(chunk.length + 1);
    let length = 0;
    for (const byte of chunk) {
      if (isHeld && byte > BLANK) {
        bytes[length++] = isClosing(byte) ? BLANK : COMMA;
        isHeld = false;
      }
      if (isEscaped) isEscaped = false;
      else if (inString && byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) inString = !inString;
      if (byte === COMMA && !inString) isHeld = true;
      else bytes[length++] = byte;
    }
    yield bytes.subarray(0, length);
  }
}
