import type { RestoreOptions } from '../backup/restore.js'
import { defineCommand } from './command.js'

export const restore = defineCommand({
  name: 'restore',
  summary: 'restores a backup into an empty data directory',
  arguments: { '<backup>': 'one backup: a subdirectory of the directory of the backups' },
  options: {},
  example: 'restore ../backups/2026-11-25T03-00-00Z',
  requiresSettings: true,
  parse({ words }): RestoreOptions {
    const [backup, ...rest] = words
    if (!backup || rest.length > 0) throw new Error('restore takes the directory of one backup')
    return { backup }
  },
  run: async (options, host, signal) =>
    (await import('../backup/restore.js')).runRestore(options, host, signal),
})
