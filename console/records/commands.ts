/** One word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command has no token: it names the variable that holds one. */
export const curlOf = (origin: string, path: string, search: string): string =>
  `curl -s ${quoted(`${origin}${path}${search && `?${search}`}`)} -H "Authorization: Bearer $API_KEY"`;

/** The same request by the command line, which has signed in before. */
export const exposureOf = (path: string, search: string): string =>
  [
    `exposure api GET ${path.replace('/api/v1/', '')}`,
    ...[...new URLSearchParams(search)].map(([name, value]) => `-f ${name}=${quoted(value)}`),
  ].join(' ');
