import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A login at the code host. It is handed to git in the environment, which other users of this machine cannot read. */
export type Login = { username: string; token: string };

type Host = { url: string; login?: Login; proxy?: string };

/**
 * The settings of git in its environment (git-config, GIT_CONFIG_COUNT). Settings of the machine and of the user have
 * no effect.
 */
function settingsOf({ url, login }: Host): Record<string, string> {
  const basic = login && Buffer.from(`${login.username}:${login.token}`).toString('base64');
  const settings: [string, string][] = [
    // a link of the repository must not lead a tool to the files of this machine
    ['core.symlinks', 'false'],
    ['core.hooksPath', '/dev/null'],
    ['credential.helper', ''],
    ...(basic ? ([[`http.${new URL(url).origin}/.extraHeader`, `Authorization: Basic ${basic}`]] as const) : []),
  ].map(([name = '', value = '']) => [name, value]);
  const named = settings.flatMap(([name, value], n) => [
    [`GIT_CONFIG_KEY_${n}`, name],
    [`GIT_CONFIG_VALUE_${n}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(named) };
}

const FILES_BYTES = 64 * 1024 * 1024;

/** Runs git in a directory. @returns its standard output */
export function gitIn(directory: string, host: Host, signal: AbortSignal) {
  const { PATH = '' } = process.env;
  const alone = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  const proxies = host.proxy ? { http_proxy: host.proxy, https_proxy: host.proxy } : {};
  const env = { PATH, HOME: directory, ...alone, ...proxies, ...settingsOf(host) };
  return async (...argv: string[]): Promise<string> => {
    const { stdout } = await run('git', argv, { cwd: directory, env, signal, maxBuffer: FILES_BYTES });
    return stdout;
  };
}
