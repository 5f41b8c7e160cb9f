/** The types as which files are served, by the ending of their names: none in which a browser would run something. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/plain; charset=utf-8',
  gif: 'image/gif',
  har: 'application/json',
  htm: 'text/plain; charset=utf-8',
  html: 'text/plain; charset=utf-8',
  http: 'text/plain; charset=utf-8',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  log: 'text/plain; charset=utf-8',
  md: 'text/plain; charset=utf-8',
  mp4: 'video/mp4',
  pcap: 'application/vnd.tcpdump.pcap',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  webp: 'image/webp',
  xml: 'text/plain; charset=utf-8',
  zip: 'application/zip',
};

export function mediaTypeOf(name: string): string {
  const ending = /\.(\w{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(MEDIA_TYPES, ending) && MEDIA_TYPES[ending]) || 'application/octet-stream';
}
