import type { Command } from 'commander'
import { add, collect, toCount } from './define-command.js'

/** The commands for Git repositories whose pictures are imported. */
export function addGitCommands(program: Command): void {
  const git = program.command('git').description('work with Git repositories that are imported')
  add(git, 'add', 'add a Git repository to a workspace or an analysis')
    .argument('<url>', 'https://host/path, ssh://user@host/path or user@host:path')
    .requiredOption('--to <path>', 'workspace, or workspace/analysis')
    .option('--branch <name>', 'the branch that is imported; by default main')
    .option('--include <pattern>', 'import only such paths (can be repeated)', collect)
    .option('--exclude <pattern>', 'do not import such paths (can be repeated)', collect)
    .option('--schedule <cron>', 'when to import: the five fields of cron, in UTC')
    .option('--token <->', 'an access token for https; - reads it from standard input')
    .option('--ssh-key <key>', 'the name or the id of one of your SSH keys')
    .option('--import', 'import it now, and wait until that has ended')
    .action(async (url, options) =>
      (await import('./commands/git/add.js')).addRepository(url, options),
    )
  add(git, 'ls', 'list the Git repositories of a workspace or an analysis')
    .argument('<ref>')
    .action(async (ref, options) =>
      (await import('./commands/git/ls.js')).listRepositories(ref, options),
    )
  add(git, 'import', 'import a Git repository now, and wait until that has ended')
    .argument('<repository>', repository)
    .option('--no-wait', 'only start the import')
    .action(async (ref, options) =>
      (await import('./commands/git/import.js')).importRepository(ref, options),
    )
  add(git, 'cancel', 'cancel the import of a Git repository')
    .argument('<repository>', repository)
    .action(async (ref, options) =>
      (await import('./commands/git/cancel.js')).cancelImport(ref, options),
    )
  add(git, 'log', 'list the imports of a Git repository, newest first')
    .argument('<repository>', repository)
    .option('--limit <count>', 'at most this many, up to 100', toCount(100), 20)
    .action(async (ref, options) => (await import('./commands/git/log.js')).log(ref, options))
  add(git, 'rm', 'end the imports of a Git repository; its figures and assets stay')
    .argument('<repository>', repository)
    .action(async (ref, options) =>
      (await import('./commands/git/rm.js')).removeRepository(ref, options),
    )
}

const repository = 'its id, or the address of its page'
