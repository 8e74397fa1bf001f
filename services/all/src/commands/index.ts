import { backup } from './backup.js'
import { collect } from './collect.js'
import type { Command, Description } from './command.js'
import { createAdmin } from './create-admin.js'
import { databaseRoles } from './database-roles.js'
import { deadLetters } from './dead-letters.js'
import { doctor } from './doctor.js'
import { fsck } from './fsck.js'
import { migrate } from './migrate.js'
import { reindex } from './reindex.js'
import { restore } from './restore.js'
import { rotateKeys } from './rotate-keys.js'
import { serve } from './serve.js'
import { start } from './start.js'

/** All commands, in the order of the help text. Their implementations are imported only when they run. */
export const commands: Command[] = [
  doctor,
  migrate,
  createAdmin,
  backup,
  restore,
  fsck,
  collect,
  reindex,
  rotateKeys,
  deadLetters,
  databaseRoles,
]

/** Those, and what starts the product. */
export const descriptions: Description[] = [start, serve, ...commands]
