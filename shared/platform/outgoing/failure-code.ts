/**
 * The code of a failure of the runtime, such as `ECONNREFUSED`. Messages of exceptions quote the request, also tokens:
 * callers see only the code.
 */
export function failureCode(error: unknown, otherwise = 'connection failed'): string {
  const causes = [error instanceof Error ? error.cause : undefined, error];
  const codes = causes.map((one) => (typeof one === 'object' && one !== null ? Reflect.get(one, 'code') : undefined));
  return codes.find((code) => typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) ?? otherwise;
}
