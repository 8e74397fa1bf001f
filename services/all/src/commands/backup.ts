import type { BackupOptions } from '../backup/backup.js'
import { defineCommand } from './command.js'

export const backup = defineCommand({
  name: 'backup',
  usage: '  backup <directory>              creates a backup in a subdirectory named by its time',
  optionUsage: `  --keep <n>      backup: number of backups to keep in the directory, the newest ones
  --with-volumes  backup: also copies the files of notebooks of the driver \`local\``,
  options: { keep: { type: 'string' }, 'with-volumes': { type: 'boolean' } },
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
