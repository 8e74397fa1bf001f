import type { BackupOptions } from '../backup/backup.js'
import { defineCommand } from './command.js'

export const backup = defineCommand({
  name: 'backup',
  summary: 'creates a backup in a subdirectory named by its time',
  arguments: { '<directory>': 'the directory of the backups; it is created if it does not exist' },
  options: {
    keep: {
      type: 'string',
      value: '<n>',
      description: 'number of backups to keep in the directory, the newest ones',
    },
    'with-volumes': {
      type: 'boolean',
      description: 'also copies the files of notebooks of the driver `local`',
    },
  },
  example: 'backup ../backups --keep 7',
  parse({ words, keep, 'with-volumes': withVolumes = false }): BackupOptions {
    const [dir, ...rest] = words
    if (!dir || rest.length > 0) throw new Error('backup takes the directory of the backups')
    if (keep === undefined) return { dir, withVolumes }
    if (!/^[1-9]\d{0,5}$/.test(keep)) {
      throw new Error(`--keep must be a positive integer, not '${keep}'`)
    }
    return { dir, withVolumes, keep: Number(keep) }
  },
  run: async (options, host, signal) =>
    (await import('../backup/backup.js')).runBackup(options, host, signal),
})
