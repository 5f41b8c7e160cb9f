import { fieldAt, type JsonObject, listAt, textAt } from '../../readers/json.ts';

/** An entry of the list that version 0.1 and earlier write, as the messages of later versions. */
export function messagesOf(entry: unknown, root: unknown): JsonObject[] {
  const osv = fieldAt(entry, 'OSV');
  const id = textAt(osv, 'id');
  const modules = listAt(entry, 'Modules');
  const traces = modules.length > 0 ? modules.flatMap(tracesOf) : [traceOf(entry, root)];
  return [
    { osv },
    ...traces.map(({ fixed, frame }) => ({ finding: { osv: id, fixed_version: fixed, trace: [frame] } })),
  ];
}

type Trace = { fixed?: string; frame: JsonObject };

/** Version 0.1 lists the modules with their packages and calls. */
function tracesOf(module: unknown): Trace[] {
  const found = { module: textAt(module, 'Path'), version: textAt(module, 'FoundVersion') };
  const fixed = textAt(module, 'FixedVersion');
  const packages = listAt(module, 'Packages');
  const calls = packages.flatMap((one) =>
    listAt(one, 'CallStacks').map((call) => ({ package: textAt(one, 'Path'), function: textAt(call, 'Symbol') })),
  );
  const frames = [...packages.map((one) => ({ package: textAt(one, 'Path') })), ...calls];
  return [{}, ...frames].map((frame) => ({ fixed, frame: { ...found, ...frame } }));
}

/** Earlier versions have an entry for each symbol; a sink of 0 means that no call reaches it. */
function traceOf(entry: unknown, root: unknown): Trace {
  const path = textAt(entry, 'ModPath');
  const module = listAt(root, 'Modules').find((one) => textAt(one, 'Path') === path);
  const [isCalled, isImported] = [Boolean(fieldAt(entry, 'CallSink')), Boolean(fieldAt(entry, 'ImportSink'))];
  return {
    frame: {
      module: path,
      version: textAt(module, 'Version'),
      ...(isImported && { package: textAt(entry, 'PkgPath') }),
      ...(isCalled && { package: textAt(entry, 'PkgPath'), function: textAt(entry, 'Symbol') }),
    },
  };
}
