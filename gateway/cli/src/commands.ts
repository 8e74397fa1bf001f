import { Argument, type Command, Option } from 'commander'
import { add, collect, toCount } from './define-command.js'
import { addGitCommands } from './git-commands.js'

/** All commands. The file of each is loaded when it runs, so that a start is fast. */
export function addCommands(program: Command): void {
  add(program, 'login', 'sign in to a server, and keep its key in a profile')
    .option('--url <url>', 'the address of the server')
    .option('--no-browser', 'only print the address of the page where you allow the login')
    .option('--key <key>', 'use this API key; - reads it from standard input')
    .option('--username <name>', 'make an API key with your name and password, without a page')
    .option('--workspace <name>', 'paths begin in this workspace')
    .action(async (options) => (await import('./commands/login.js')).login(options))
  add(program, 'logout', 'forget the key of a profile').action(async (options) =>
    (await import('./commands/logout.js')).logout(options),
  )
  const profiles = add(program, 'profiles', 'list the servers that you are signed in to').action(
    async (options) => (await import('./commands/profiles.js')).listProfiles(options),
  )
  profiles
    .command('use')
    .description('choose the profile that is used without --profile')
    .argument('<name>')
    .action(async (name) => (await import('./commands/profiles.js')).useProfile(name))
  add(program, 'whoami', 'show the server and the user').action(async (options) =>
    (await import('./commands/whoami.js')).whoami(options),
  )
  add(program, 'ls', 'list what is in a workspace, an analysis, a figure, a revision')
    .argument('[ref]', 'without: the workspaces')
    .option('--stale', 'the figures of a workspace whose assets have newer revisions')
    .action(async (ref, options) => (await import('./commands/ls.js')).ls(ref, options))
  add(program, 'publish', 'publish files as figures; what is unchanged is left out')
    .argument('<files...>', 'files, or one folder')
    .requiredOption('--to <path>', 'workspace/analysis/figure, or workspace/analysis')
    .option('--image <file>', 'a picture (can be repeated)', collect)
    .option('--code <file>', 'source code (can be repeated)', collect)
    .option('--data <file>', 'a table or another file (can be repeated)', collect)
    .option('--asset <file>', 'data that the figure was made from (can be repeated)', collect)
    .option('--meta <key=value>', 'metadata; the value is JSON or text (can be repeated)', collect)
    .option('--message <text>', 'the description, in Markdown')
    .option('--recursive', 'each sub-folder is an analysis of the workspace --to')
    .option('--force', 'publish what is unchanged, too')
    .addHelpText('after', publishHelp)
    .action(async (files, options) =>
      (await import('./commands/publish.js')).publishFiles(files, options),
    )
  add(program, 'get', 'download the data objects of a revision; of a figure, the newest one')
    .argument('<ref>')
    .option('-o, --output <path>', 'a folder for all, a file for one, - for standard output', '.')
    .option('--name <name>', 'only this data object')
    .option('--force', 'replace files that exist')
    .action(async (ref, options) => (await import('./commands/get.js')).get(ref, options))
  add(program, 'open', 'open the page of an object in the browser')
    .argument('<ref>')
    .option('--no-browser', 'only print the address')
    .action(async (ref, options) => (await import('./commands/open.js')).openPage(ref, options))
  add(program, 'search', 'find objects by words, or figures by a picture')
    .argument('[query]')
    .option('--image <file>', 'a picture, as a screenshot')
    .addOption(
      new Option('--by <how>', 'how words are searched for')
        .choices(['keyword', 'text', 'semantic'])
        .default('keyword'),
    )
    .option('--in <workspace>', 'only in this workspace')
    .option('--meta <key=value>', 'only with this value in the metadata (can be repeated)', collect)
    .option('--stale', 'only stale figures')
    .option('--limit <count>', 'at most this many, up to 100', toCount(100), 10)
    .action(async (query, options) => (await import('./commands/search.js')).search(query, options))
  add(program, 'log', 'show what happened to an object and in it')
    .argument('<ref>')
    .option('--limit <count>', 'at most this many, up to 100', toCount(100), 20)
    .action(async (ref, options) => (await import('./commands/log.js')).log(ref, options))
  add(program, 'share', 'share an object; without options, show with whom it is shared')
    .argument('<ref>')
    .option('--link', 'with everybody who has the link')
    .option('--user <name>', 'with a user')
    .option('--off', 'end the share')
    .action(async (ref, options) => (await import('./commands/share.js')).share(ref, options))
  add(program, 'comment', 'comment on an object; without a text, list the comments')
    .argument('<ref>')
    .argument('[text]', 'Markdown; - reads it from standard input')
    .option('--reply <id>', 'answer this comment')
    .action(async (ref, text, options) =>
      (await import('./commands/comment.js')).comment(ref, text, options),
    )
  add(program, 'diff', 'compare the code, the data and the pictures of two revisions')
    .argument('<before>')
    .argument('<after>')
    .action(async (before, after, options) =>
      (await import('./commands/diff.js')).diff(before, after, options),
    )
  add(program, 'watch', 'publish the figures of a folder when they are saved')
    .argument('<folder>')
    .requiredOption('--to <path>', 'workspace/analysis')
    .action(async (folder, options) =>
      (await import('./commands/watch.js')).watchFolder(folder, options),
    )
  const assets = program.command('assets').description('work with assets')
  add(assets, 'sync', 'publish files as assets, if the workspace does not have them already')
    .argument('<files...>', 'files, or one folder')
    .requiredOption('--to <path>', 'workspace, or workspace/analysis')
    .action(async (files, options) =>
      (await import('./commands/assets.js')).syncAssets(files, options),
    )
  const story = program.command('story').description('work with stories')
  add(story, 'export', 'download a story as a file')
    .argument('<ref>', 'an api_id, or the address of the page')
    .addOption(
      new Option('--format <format>', 'the format of the file')
        .choices(['markdown', 'pptx', 'pdf'])
        .default('markdown'),
    )
    .option('-o, --output <file>', 'the file; by default the name of the story')
    .option('--force', 'replace a file that exists')
    .action(async (ref, options) => (await import('./commands/story.js')).exportStory(ref, options))
  addGitCommands(program)
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell) => (await import('./commands/completion.js')).printScript(shell))
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words) =>
      (await import('./commands/completion.js')).printCandidates(program, words),
    )
}

const publishHelp = `
With workspace/analysis/figure, all files are one figure. With workspace/analysis, files that are alike up to the first
dot are one figure: means.png, means.py and means.csv are the figure means. A .md or .txt beside them is its description.

Ctrl-C ends at once; the same command goes on where it was.`
