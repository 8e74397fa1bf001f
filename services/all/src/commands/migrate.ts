import type { MigrateOptions } from '../migrate.js'
import { defineCommand, refuseWords } from './command.js'

export const migrate = defineCommand({
  name: 'migrate',
  summary: 'migrates the database schema; startup does this as well',
  options: {
    check: {
      type: 'boolean',
      description: 'only lists missing migrations; exit code 1 if there are any',
    },
  },
  example: 'migrate --check',
  requiresSettings: true,
  parse({ words, check = false }): MigrateOptions {
    refuseWords(words)
    return { check }
  },
  run: async (options, host) => (await import('../migrate.js')).runMigrate(options, host),
})
