import { sentenceOf } from './mistake.ts';

// local/run.mjs loads this file into every command. A mistake of a person ends the command with a sentence, a fault of the program with its stack.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' && error.syscall === 'write') process.exit(0); // the reader of the output, such as head, has enough
  const sentence = sentenceOf(error);
  if (sentence === undefined) {
    console.error(error);
    process.exit(1);
  }
  console.error(sentence);
  const isArgument = error.code?.startsWith('ERR_PARSE_ARGS') === true;
  if (isArgument) console.error('The option --help shows the options of the command.');
  process.exit(isArgument ? 64 : 1);
});
