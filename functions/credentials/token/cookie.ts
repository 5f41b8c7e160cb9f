import { SESSION_SECONDS } from '#shared/people/session.ts';

const NAME = 'exposure_session';

/**
 * The cookie that keeps the refresh token of a browser. Scripts cannot read it, only this endpoint gets it, and no request
 * that another site causes has it (RFC 6265bis, SameSite=Strict).
 */
export const sessionCookie = (refreshToken: string): string =>
  `${NAME}=${refreshToken}; Max-Age=${SESSION_SECONDS}; Path=/api/v1/oauth/token; HttpOnly; Secure; SameSite=Strict`;

type Sent = { headers: Record<string, string | undefined>; cookies: readonly string[] };

/**
 * The refresh token in the cookie of a request. Only requests with a JSON body may use the cookie: a page of another site
 * cannot send one without asking the browser first (Fetch, CORS-safelisted content types).
 */
export function tokenInCookie({ headers, cookies }: Sent): string | undefined {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return undefined;
  return cookies.find((cookie) => cookie.startsWith(`${NAME}=`))?.slice(NAME.length + 1);
}
