import type { Command } from 'commander';

/** The options of commands about a build (`BuildOptions`). */
export const withBuildOptions = (command: Command): Command =>
  command
    .option('--repository <address>', 'the whole address of the repository, such as https://github.com/acme/shop')
    .option('--ref <branch>', 'the branch')
    .option('--commit <sha>', 'the scanned commit')
    .option('--base <branch>', 'the branch to compare with')
    .option('--build-id <id>', 'the build of CI to which the reports belong');
