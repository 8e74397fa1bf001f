import { parseArgs } from 'node:util'
import { EnvReader, isUuid } from '@figbase/kit'
import type { BackupCommand } from './backup/backup.js'
import type { RestoreCommand } from './backup/restore.js'
import type { CreateAdminCommand } from './create-admin.js'
import type { DatabaseRolesCommand } from './database-roles.js'
import type { DoctorCommand } from './doctor/doctor.js'
import { Failure } from './failure.js'
import type { CollectCommand } from './keeping/collect.js'
import type { FsckCommand } from './keeping/fsck.js'
import type { MigrateCommand } from './migrate.js'
import { processNames } from './programs.js'
import type { RotateKeysCommand } from './rotate-keys/rotate-keys.js'

/** What an operator does with events that failed too often; all of them without an id. */
export type DeadLettersCommand = { name: 'dead-letters' } & (
  | { action: 'list' }
  | { action: 'show'; eventId: string }
  | { action: 'replay'; eventId?: string }
)

export type Command =
  | DeadLettersCommand
  | BackupCommand
  | RestoreCommand
  | FsckCommand
  | CollectCommand
  | RotateKeysCommand
  | MigrateCommand
  | CreateAdminCommand
  | DoctorCommand
  | DatabaseRolesCommand

/** Without a command, Figbase is started; `serve` names the one part of it that runs in this process. */
export type Arguments = { distributed: boolean; help: boolean; command?: Command; serve?: string }

export const usage = `Usage: npm start [-- options]     or: node services/all/start.mjs [options]

Starts Figbase on this machine, with a PostgreSQL of its own; Ctrl-C or SIGTERM stops it.

Processes
  serve all                       the same as without a command
  serve gateway|<service>         one of them in this process, set up by the environment alone:
                                  DATABASE_URL, FIGBASE_SECRET_KEY, the addresses of the others …

Commands (whether or not Figbase is running)
  doctor                          checks settings, servers and this machine, and says what to do
  migrate                         brings the database to this version; starts do so, too
  create-admin <username>         makes an administrator, or makes one of an account that is there
  backup <directory>              makes a backup of everything in there, named by its time
  restore <backup>                makes the data directory anew, which must be empty
  fsck                            compares rows and objects; exit code 1 when something is wrong
  collect                         removes the objects that nothing refers to any more
  rotate-keys                     changes the secret, and encrypts with it what the one before has encrypted
  dead-letters list               events that could not be handled, and why
  dead-letters show <id>          one of them in full
  dead-letters replay <id>|--all  has them handled again
  database-roles                  prints SQL that makes a role for each service in a PostgreSQL of your own

Options
  --distributed   one process for each service, and one for the gateway
  --keep <n>      of backup: how many backups are left in the directory, the newest
  --verify        of fsck: reads all objects, and compares their digests
  --rate <bytes>  of fsck --verify: how much is read in a second at most (50MiB)
  --check         of migrate: only tells what is missing; exit code 1 when something is
  --email <address>
                  of create-admin: of a new account
  --password-file <file>
                  of create-admin: what has the password, - for standard input; else you are asked for it
  --json          of doctor, fsck and collect: what they say, for programs
  --release       of collect, where a backup was restored: that which it was of is gone for good
  --drop-previous of rotate-keys: forgets the secret before, and with it whoever is signed in
  --help          show this text

Settings (environment)
  HOST              the address to listen on (127.0.0.1; 0.0.0.0 is all of them)
  PORT              where to listen, 0 for any free port (8000)
  PUBLIC_URL        the address under which people reach it
  FIGBASE_DATA_DIR  where everything is kept (.figbase in the repository)
  DATABASE_URL      use this PostgreSQL instead of the built-in one
  SHUTDOWN_TIMEOUT  how long requests in flight may take when stopping (30s)
  FIGBASE_DEBUG     1 shows stack traces
`

const options = {
  distributed: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  all: { type: 'boolean' },
  keep: { type: 'string' },
  verify: { type: 'boolean' },
  rate: { type: 'string' },
  json: { type: 'boolean' },
  release: { type: 'boolean' },
  'drop-previous': { type: 'boolean' },
  check: { type: 'boolean' },
  email: { type: 'string' },
  'password-file': { type: 'string' },
} as const

type Given = {
  words: string[]
  all?: boolean
  keep?: string
  verify?: boolean
  rate?: string
  json?: boolean
  release?: boolean
  'drop-previous'?: boolean
  check?: boolean
  email?: string
  'password-file'?: string
}
type CommandName = Command['name']

/** The options that a command takes besides those that all take. */
const commands: Record<CommandName, { takes: (keyof Given)[]; read: (given: Given) => Command }> = {
  'dead-letters': { takes: ['all'], read: readDeadLetters },
  backup: { takes: ['keep'], read: readBackup },
  restore: { takes: [], read: readRestore },
  fsck: { takes: ['verify', 'rate', 'json'], read: readFsck },
  collect: { takes: ['json', 'release'], read: readCollect },
  'rotate-keys': { takes: ['drop-previous'], read: readRotateKeys },
  migrate: { takes: ['check'], read: readMigrate },
  'create-admin': { takes: ['email', 'password-file'], read: readCreateAdmin },
  doctor: { takes: ['json'], read: readDoctor },
  'database-roles': { takes: [], read: readDatabaseRoles },
}

export function parseArguments(args: string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const { distributed, help, ...given } = values
    const [name, ...words] = positionals
    if (name === 'serve') return { distributed, help, ...readServe({ words, ...given }) }
    const found = name !== undefined && isCommand(name) ? commands[name] : undefined
    const [other] = Object.keys(given).filter((key) => !found?.takes.some((one) => one === key))
    if (name !== undefined && !found) throw new Error(`Unknown command '${name}'`)
    if (other !== undefined) throw new Error(`Unknown ${name ? 'option' : 'command'} '--${other}'`)
    return { distributed, help, ...(found && { command: found.read({ words, ...given }) }) }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new Failure(`${why}.`, '--help lists the options.')
  }
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name)

function readServe({ words, ...given }: Given): Pick<Arguments, 'serve'> {
  const [name = '', ...rest] = words
  const [other] = Object.keys(given)
  if (other !== undefined) throw new Error(`Unknown option '--${other}'`)
  if (rest.length > 0) throw new Error(`Unknown word '${rest[0]}'`)
  if (name === 'all') return {}
  if (processNames.includes(name)) return { serve: name }
  throw new Error(`serve takes one of all, ${processNames.join(', ')}`)
}

function readDeadLetters({ words, all = false }: Given): DeadLettersCommand {
  const [action, eventId, ...rest] = words
  const name = 'dead-letters'
  if (rest.length > 0) throw new Error(`Unknown word '${rest[0]}'`)
  if (eventId !== undefined && !isUuid(eventId)) throw new Error(`'${eventId}' is not an id`)
  if (action === 'list' && !eventId && !all) return { name, action }
  if (action === 'show' && eventId && !all) return { name, action, eventId }
  if (action === 'replay' && eventId && !all) return { name, action, eventId }
  if (action === 'replay' && !eventId && all) return { name, action }
  throw new Error('dead-letters takes list, show <id>, replay <id> or replay --all')
}

function readBackup({ words, keep }: Given): BackupCommand {
  const [dir, ...rest] = words
  if (!dir || rest.length > 0) throw new Error('backup takes the directory of the backups')
  if (keep === undefined) return { name: 'backup', dir }
  if (!/^[1-9]\d{0,5}$/.test(keep)) throw new Error(`--keep takes a number above 0, not '${keep}'`)
  return { name: 'backup', dir, keep: Number(keep) }
}

function readRestore({ words }: Given): RestoreCommand {
  const [backup, ...rest] = words
  if (!backup || rest.length > 0) throw new Error('restore takes the directory of one backup')
  return { name: 'restore', backup }
}

function readFsck({ words, verify = false, rate, json = false }: Given): FsckCommand {
  if (words.length > 0) throw new Error(`Unknown word '${words[0]}'`)
  if (!verify && rate !== undefined) throw new Error('--rate is for --verify')
  if (!verify) return { name: 'fsck', json }
  const reader = new EnvReader({ '--rate': rate })
  const bytesPerSecond = reader.bytes('--rate', '50MiB', 'bytes that are read in a second')
  const [problem = bytesPerSecond > 0 ? undefined : '--rate must be above 0'] = reader.problems
  if (problem) throw new Error(problem)
  return { name: 'fsck', json, verify: { bytesPerSecond } }
}

function readCollect({ words, json = false, release = false }: Given): CollectCommand {
  if (words.length > 0) throw new Error(`Unknown word '${words[0]}'`)
  return { name: 'collect', json, release }
}

function readRotateKeys({
  words,
  'drop-previous': dropPrevious = false,
}: Given): RotateKeysCommand {
  if (words.length > 0) throw new Error(`Unknown word '${words[0]}'`)
  return { name: 'rotate-keys', dropPrevious }
}

function readMigrate({ words, check = false }: Given): MigrateCommand {
  if (words.length > 0) throw new Error(`Unknown word '${words[0]}'`)
  return { name: 'migrate', check }
}

function readCreateAdmin(given: Given): CreateAdminCommand {
  const { words, email, 'password-file': passwordFile } = given
  const [username, ...rest] = words
  if (!username || rest.length > 0) throw new Error('create-admin takes a username')
  return {
    name: 'create-admin',
    username,
    ...(email !== undefined && { email }),
    ...(passwordFile !== undefined && { passwordFile }),
  }
}

function readDoctor({ words, json = false }: Given): DoctorCommand {
  if (words.length > 0) throw new Error(`Unknown word '${words[0]}'`)
  return { name: 'doctor', json }
}

function readDatabaseRoles({ words }: Given): DatabaseRolesCommand {
  if (words.length > 0) throw new Error(`Unknown word '${words[0]}'`)
  return { name: 'database-roles' }
}
